import { Injectable } from '@nestjs/common';
import { invalidField } from '@classroom/contracts';
import { ADDRESS_REASONS, AddressRefused, Outbound, requireAllowedAddress } from '@classroom/platform';

@Injectable()
export class EndpointAddress {
  constructor(private readonly outbound: Outbound) {}

  /** Rejects at registration an address whose first delivery would be refused. @throws AppError VALIDATION_FAILED */
  async requireAllowed(text: string): Promise<void> {
    try {
      await requireAllowedAddress(this.outbound, text);
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw error;
      throw invalidField('url', ADDRESS_REASONS[error.reason], error);
    }
  }
}

import { Injectable } from '@nestjs/common';
import { invalidField } from '@classroom/contracts';
import { AddressRefused, Outbound } from '@classroom/platform';

/** A name that is not answered for in this time is accepted: what it means is looked at whenever something is sent. */
const LOOKUP_PATIENCE_MS = 2_000;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Which addresses may be sent to: HTTPS, public. Plain HTTP only to this machine, where the operator allows that one
 * (OUTBOUND_ALLOWED_HOSTS). That is checked again at each connection.
 * @throws AddressRefused
 */
export function checkAddress(outbound: Outbound, url: URL): void {
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname))) throw new AddressRefused('scheme');
  outbound.check(url);
}

@Injectable()
export class EndpointAddress {
  constructor(private readonly outbound: Outbound) {}

  /** Tells who registers an address what would fail at the first delivery. @throws AppError VALIDATION_FAILED */
  async require(text: string): Promise<void> {
    const url = new URL(text);
    try {
      checkAddress(this.outbound, url);
      await this.refusePrivateName(url.hostname);
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw error;
      throw invalidField('url', REASONS[error.reason], error);
    }
  }

  /** @throws AddressRefused where the name means private addresses alone; not where it can't be resolved now */
  private async refusePrivateName(hostname: string): Promise<void> {
    if (hostname.startsWith('[')) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, LOOKUP_PATIENCE_MS);
      this.outbound.lookup(hostname, { all: true }, (error) => {
        clearTimeout(timer);
        if (error instanceof AddressRefused) reject(error);
        else resolve();
      });
    });
  }
}

const REASONS: Record<AddressRefused['reason'], string> = {
  scheme: 'must be an https address',
  credentials: 'must hold no user and no password',
  private: 'must be a public address',
};

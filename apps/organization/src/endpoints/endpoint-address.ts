import { Injectable } from '@nestjs/common';
import { invalidField } from '@classroom/contracts';
import { AddressRefused, Outbound } from '@classroom/platform';

/** Milliseconds. If DNS does not answer within this time, the name is accepted: its addresses are checked again at every delivery. */
const LOOKUP_TIMEOUT_MS = 2_000;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Allows public HTTPS addresses, and plain HTTP to this machine if the operator allows it (OUTBOUND_ALLOWED_HOSTS). Every
 * connection checks the resolved IP address again.
 * @throws AddressRefused
 */
export function checkAddress(outbound: Outbound, url: URL): void {
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname))) throw new AddressRefused('scheme');
  outbound.check(url);
}

@Injectable()
export class EndpointAddress {
  constructor(private readonly outbound: Outbound) {}

  /** Rejects at registration an address whose first delivery would be refused. @throws AppError VALIDATION_FAILED */
  async requireAllowed(text: string): Promise<void> {
    const url = new URL(text);
    try {
      checkAddress(this.outbound, url);
      await this.rejectPrivateName(url.hostname);
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw error;
      throw invalidField('url', REASONS[error.reason], error);
    }
  }

  /** @throws AddressRefused if the name resolves only to private addresses; not if it cannot be resolved now */
  private async rejectPrivateName(hostname: string): Promise<void> {
    if (hostname.startsWith('[')) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, LOOKUP_TIMEOUT_MS);
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

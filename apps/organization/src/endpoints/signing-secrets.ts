import { createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, SecretCipher } from '@classroom/platform';
import type { OrganizationConfig } from '../config.js';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const PURPOSE = 'classroom/organization/webhook-secrets/v1';

/** The secrets that sign webhooks. Each is known to its endpoint, and stored only in encrypted form. */
@Injectable()
export class SigningSecrets {
  private readonly cipher: SecretCipher;

  constructor(@Inject(CONFIG) config: OrganizationConfig) {
    this.cipher = new SecretCipher(PURPOSE, config.WEBHOOK_KEY_SECRET);
  }

  /** A new secret (`whsec_` and 32 random bytes in base64), and its encrypted form, which is stored. */
  create(endpointId: string): { secret: string; sealed: string } {
    const secret = `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
    return { secret, sealed: this.cipher.seal(endpointId, secret) };
  }

  open(endpointId: string, sealed: string): string {
    return this.cipher.open(endpointId, sealed);
  }

  /** Encrypts a stored secret with the first value of WEBHOOK_KEY_SECRET; undefined if it is already encrypted with that. */
  reseal(endpointId: string, sealed: string): string | undefined {
    return this.cipher.reseal(endpointId, sealed);
  }
}

/** The headers of Standard Webhooks 1.0. @param secrets each adds a signature: during a rotation the receiver may know either secret */
export function signatureHeaders(
  secrets: readonly string[],
  { id, at, body }: { id: string; at: Date; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

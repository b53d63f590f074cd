import { createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, InBackground, Resealing, SecretCipher } from '@classroom/platform';
import type { OrganizationConfig } from '../config.js';
import { OrganizationsRepository } from '../organizations/organizations.repository.js';
import { EndpointsRepository, type SealedSecrets } from './endpoints.repository.js';

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

/** Seals the secrets of webhook endpoints and join hooks again while WEBHOOK_KEY_SECRET is rotated. */
@Injectable()
export class ResealSecrets {
  @InBackground() readonly ofEndpoints: Resealing<SealedSecrets>;
  @InBackground() readonly ofJoinHooks: Resealing<{ organizationId: string; secret: string }>;

  constructor(
    @Inject(CONFIG) config: OrganizationConfig,
    private readonly endpoints: EndpointsRepository,
    private readonly organizations: OrganizationsRepository,
    private readonly secrets: SigningSecrets,
  ) {
    this.ofEndpoints = new Resealing('webhook-secrets', config.WEBHOOK_KEY_SECRET, {
      page: (last, limit) => this.endpoints.listSecretsAfter(last?.endpointId ?? '', limit),
      reseal: (row) => this.resealEndpoint(row),
    });
    this.ofJoinHooks = new Resealing('join-hook-secrets', config.WEBHOOK_KEY_SECRET, {
      page: (last, limit) => this.organizations.joinHookSecrets(last?.organizationId ?? '', limit),
      reseal: ({ organizationId, secret }) => this.resealJoinHook(organizationId, secret),
    });
  }

  private async resealEndpoint(before: SealedSecrets): Promise<number> {
    const { endpointId, secret, previousSecret } = before;
    const own = this.secrets.reseal(endpointId, secret);
    const previous = previousSecret === null ? undefined : this.secrets.reseal(endpointId, previousSecret);
    const sealed = [own, previous].filter((it) => it !== undefined).length;
    // Writes nothing if the endpoint's secret was rotated since it was read: the rotation has already sealed with the first value.
    if (sealed > 0) await this.endpoints.reseal(before, own ?? null, previous ?? null);
    return sealed;
  }

  private async resealJoinHook(organizationId: string, secret: string): Promise<number> {
    const again = this.secrets.reseal(organizationId, secret);
    if (again === undefined) return 0;
    await this.organizations.resealJoinHook(organizationId, secret, again);
    return 1;
  }
}

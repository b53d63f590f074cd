import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, InBackground, Resealing } from '@classroom/platform';
import type { OrganizationConfig } from '../config.js';
import { OrganizationsRepository } from '../organizations/organizations.repository.js';
import { EndpointsRepository, type SealedSecrets } from './endpoints.repository.js';
import { SigningSecrets } from './signing-secrets.js';

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

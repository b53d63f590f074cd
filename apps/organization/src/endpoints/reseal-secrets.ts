import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, InBackground, logger, Loop } from '@classroom/platform';
import type { OrganizationConfig } from '../config.js';
import { OrganizationsRepository } from '../organizations/organizations.repository.js';
import { EndpointsRepository, type SealedSecrets } from './endpoints.repository.js';
import { SigningSecrets } from './signing-secrets.js';

/** Repeats, because during a rollout processes of the older version still encrypt with the former value. */
const INTERVAL_MS = 600_000;
const PAGE_SIZE = 500;

type Outcome = 'asItIs' | 'sealed' | 'unreadable';

/**
 * While WEBHOOK_KEY_SECRET is rotated, encrypts every stored secret with its first value. After that, the operator can remove
 * the other values.
 */
@Injectable()
export class ResealSecrets {
  @InBackground() private readonly loop: Loop | undefined;

  constructor(
    @Inject(CONFIG) config: OrganizationConfig,
    private readonly endpoints: EndpointsRepository,
    private readonly organizations: OrganizationsRepository,
    private readonly secrets: SigningSecrets,
  ) {
    if (config.WEBHOOK_KEY_SECRET.length > 1) this.loop = new Loop('webhook-reseal', INTERVAL_MS, () => this.run());
  }

  async run(): Promise<void> {
    const counts = { asItIs: 0, sealed: 0, unreadable: 0 };
    const after = (endpointId: string) => this.endpoints.listSecretsAfter(endpointId, PAGE_SIZE);
    for (let page = await after(''); page.length > 0; page = await after(page.at(-1)?.endpointId ?? '')) {
      for (const row of page) counts[await this.reseal(row)] += 1;
    }
    const hooksAfter = (organizationId: string) => this.organizations.joinHookSecrets(organizationId, PAGE_SIZE);
    for (let page = await hooksAfter(''); page.length > 0; page = await hooksAfter(page.at(-1)?.organizationId ?? '')) {
      for (const row of page) counts[await this.resealJoinHook(row)] += 1;
    }
    logger.info(counts, 'webhook secrets resealed with the first WEBHOOK_KEY_SECRET');
  }

  private async resealJoinHook({ organizationId, secret }: { organizationId: string; secret: string }): Promise<Outcome> {
    let resealed: string | undefined;
    try {
      resealed = this.secrets.reseal(organizationId, secret);
    } catch {
      return 'unreadable';
    }
    if (resealed === undefined) return 'asItIs';
    await this.organizations.resealJoinHook(organizationId, secret, resealed);
    return 'sealed';
  }

  private async reseal(before: SealedSecrets): Promise<Outcome> {
    const { endpointId, secret, previousSecret } = before;
    let resealed: (string | undefined)[];
    try {
      resealed = [secret, previousSecret].map((it) => (it === null ? undefined : this.secrets.reseal(endpointId, it)));
    } catch {
      return 'unreadable';
    }
    const [own = null, previous = null] = resealed;
    if (own === null && previous === null) return 'asItIs';
    // Writes nothing if the endpoint's secret was rotated since it was read: the rotation has already encrypted with the first value.
    await this.endpoints.reseal(before, own, previous);
    return 'sealed';
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import { CONFIG, InBackground, logger, Loop } from '@classroom/platform';
import type { OrganizationConfig } from '../config.js';
import { SigningSecrets } from './signing-secrets.js';

/** Again and again: while a rollout lasts, processes of before still seal under the former secret. */
const EVERY_MS = 600_000;
const PAGE = 500;

interface Row extends Record<string, unknown> {
  endpointId: string;
  secret: string;
  previousSecret: string | null;
}

/** While WEBHOOK_KEY_SECRET is changed, seals under the first what another one sealed; then the others may be taken away. */
@Injectable()
export class ResealSecrets {
  @InBackground() private readonly loop: Loop | undefined;

  constructor(
    @Inject(CONFIG) config: OrganizationConfig,
    private readonly database: Database,
    private readonly secrets: SigningSecrets,
  ) {
    if (config.WEBHOOK_KEY_SECRET.length > 1) this.loop = new Loop('webhook-reseal', EVERY_MS, () => this.run());
  }

  async run(): Promise<void> {
    const counts = { asItIs: 0, sealed: 0, unreadable: 0 };
    for (let page = await this.after(''); page.length > 0; page = await this.after(page.at(-1)?.endpointId ?? '')) {
      for (const row of page) counts[await this.reseal(row)] += 1;
    }
    logger.info(counts, 'webhook secrets are sealed under the first WEBHOOK_KEY_SECRET');
  }

  private after(endpointId: string): Promise<Row[]> {
    return this.database.query<Row>(
      `SELECT endpoint_id AS "endpointId", secret, previous_secret AS "previousSecret" FROM webhook_endpoints
        WHERE endpoint_id > $1 ORDER BY endpoint_id LIMIT ${PAGE}`,
      [endpointId],
    );
  }

  private async reseal({ endpointId, secret, previousSecret }: Row): Promise<'asItIs' | 'sealed' | 'unreadable'> {
    let anew: (string | undefined)[];
    try {
      anew = [secret, previousSecret].map((it) => (it === null ? undefined : this.secrets.reseal(endpointId, it)));
    } catch {
      return 'unreadable';
    }
    const [own = null, previous = null] = anew;
    if (own === null && previous === null) return 'asItIs';
    // A rotation in between has sealed under the first already.
    await this.database.query(
      `UPDATE webhook_endpoints SET secret = coalesce($4, secret), previous_secret = coalesce($5, previous_secret)
        WHERE endpoint_id = $1 AND secret = $2 AND previous_secret IS NOT DISTINCT FROM $3`,
      [endpointId, secret, previousSecret, own, previous],
    );
    return 'sealed';
  }
}

import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import { Clock, InBackground, logger, Loop } from '@classroom/platform';
import { CredentialsRepository } from '../credentials/credentials.repository.js';
import { ExportsRepository } from '../exports/exports.repository.js';
import { OrganizationsRepository } from '../organizations/organizations.repository.js';

const INTERVAL_MS = 5_000;
/** So long, an erased organization can read its receipt with its credentials. */
const KEPT_MS = 30 * 86_400_000;
const BATCH = 10;

/** Deletes credentials and rows of organizations whose erasure was completed 30 days ago. The receipt stays, for operators. */
@Injectable()
export class RemoveErased {
  @InBackground() private readonly loop = new Loop('erased-organizations', INTERVAL_MS, () => this.run());

  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly credentials: CredentialsRepository,
    private readonly exports: ExportsRepository,
    private readonly clock: Clock,
  ) {}

  private async run(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_MS);
    const removed = await this.database.transaction(async (tx) => {
      const organizationIds = await this.organizations.lockErased(tx, before, BATCH);
      await this.exports.removeOf(tx, organizationIds);
      await this.credentials.removeOf(tx, organizationIds);
      await this.organizations.remove(tx, organizationIds);
      return organizationIds;
    });
    for (const organizationId of removed) logger.info({ organizationId }, 'erased organization removed');
  }
}

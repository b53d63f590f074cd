import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { createOrganization, organizationUpdated, type RpcInput } from '@classroom/contracts';
import { fact, Handles, Outbox } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { NO_PLAN, toPlanColumns } from './billing-plan.js';
import type { OrganizationEntity } from '../schema/organization.entity.js';
import { toOrganization } from './to-organization.js';
import { OrganizationsRepository } from './organizations.repository.js';

/** The id is a bearer secret: 144 random bits. */
const newOrganizationId = () => `org_${randomBytes(18).toString('base64url')}`;

@Injectable()
export class CreateOrganization {
  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError ORGANIZATION_ALREADY_EXISTS */
  @Handles(createOrganization)
  async execute(input: RpcInput<typeof createOrganization>) {
    const now = this.clock.now();
    const row: OrganizationEntity = {
      organizationId: input.organizationId ?? newOrganizationId(),
      name: input.name,
      ...(input.billing ? toPlanColumns(input.billing, NO_PLAN, now) : NO_PLAN),
      verifiedDomains: input.verifiedDomains,
      logoUrl: input.branding.logoUrl ?? null,
      primaryColor: input.branding.primaryColor ?? null,
      accentColor: input.branding.accentColor ?? null,
      createdAt: now,
      updatedAt: now,
    };
    const created = toOrganization(row);
    await this.database.transaction(async (tx) => {
      await this.organizations.insert(tx, row);
      await this.outbox.add(tx, fact(organizationUpdated, row.organizationId, created));
    });
    return created;
  }
}

import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import type { FastifyRequest } from 'fastify';
import { OrganizationDirectory } from './organization-directory.js';

/** Rejects with 422 if an organization has no billing plan. Before rejecting, it asks the owner. */
@Injectable()
export class PlanGuard {
  constructor(private readonly organizations: OrganizationDirectory) {}

  /** @throws AppError ORGANIZATION_SETUP_INCOMPLETE */
  check({ exchange: { endpoint, caller } }: FastifyRequest): void | Promise<void> {
    const organization = 'organization' in caller ? caller.organization : undefined;
    return endpoint?.requiresPlan && !organization?.billing ? this.ask(organization?.organizationId ?? '') : undefined;
  }

  private async ask(organizationId: string): Promise<void> {
    const fresh = await this.organizations.ask(organizationId);
    if (!fresh?.billing) throw new AppError('ORGANIZATION_SETUP_INCOMPLETE');
  }
}

import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import type { FastifyRequest } from 'fastify';
import { OrganizationDirectory } from './organization-directory.js';

/** Rejects with 422 if an organization has no billing plan. Before rejecting, it asks the owner. */
@Injectable()
export class BillingPlanCheck {
  constructor(private readonly organizations: OrganizationDirectory) {}

  /** @throws AppError ORGANIZATION_SETUP_INCOMPLETE */
  requireBillingPlan({ requestContext: { endpoint, caller } }: FastifyRequest): void | Promise<void> {
    const organization = 'organization' in caller ? caller.organization : undefined;
    return endpoint?.requiresPlan && !organization?.billing ? this.confirmWithOwner(organization?.organizationId ?? '') : undefined;
  }

  private async confirmWithOwner(organizationId: string): Promise<void> {
    const fresh = await this.organizations.findFresh(organizationId);
    if (!fresh?.billing) throw new AppError('ORGANIZATION_SETUP_INCOMPLETE');
  }
}

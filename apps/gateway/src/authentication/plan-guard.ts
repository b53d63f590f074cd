import { Injectable } from '@nestjs/common';
import { AppError, type Organization } from '@classroom/contracts';
import { OrganizationDirectory } from './organization-directory.js';

/** 422 where an organization has no billing plan; the owner is asked before the "no". */
@Injectable()
export class PlanGuard {
  constructor(private readonly organizations: OrganizationDirectory) {}

  /** @throws AppError ORGANIZATION_SETUP_INCOMPLETE */
  async require(organization: Organization): Promise<void> {
    if (organization.billing) return;
    const fresh = await this.organizations.ask(organization.organizationId);
    if (!fresh?.billing) throw new AppError('ORGANIZATION_SETUP_INCOMPLETE');
  }
}

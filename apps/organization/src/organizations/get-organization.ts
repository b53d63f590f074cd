import { Injectable } from '@nestjs/common';
import { AppError, getOrganization, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { toOrganization } from './to-organization.js';
import { OrganizationsRepository } from './organizations.repository.js';

@Injectable()
export class GetOrganization {
  constructor(private readonly organizations: OrganizationsRepository) {}

  /** @throws AppError ORGANIZATION_NOT_FOUND */
  @Handles(getOrganization)
  async execute({ organizationId }: RpcInput<typeof getOrganization>) {
    const row = await this.organizations.find(organizationId);
    if (!row) throw new AppError('ORGANIZATION_NOT_FOUND');
    return toOrganization(row);
  }
}

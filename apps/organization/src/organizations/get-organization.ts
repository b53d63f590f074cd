import { Injectable } from '@nestjs/common';
import { AppError, getOrganization, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { outsideOrganizations } from '@classroom/platform';
import { CredentialsRepository } from '../credentials/credentials.repository.js';
import { hashOf } from '../credentials/values.js';
import { toOrganization } from './to-organization.js';
import { OrganizationsRepository } from './organizations.repository.js';

@Injectable()
export class GetOrganization {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly credentials: CredentialsRepository,
  ) {}

  @Handles(getOrganization)
  async execute({ organizationId }: RpcInput<typeof getOrganization>) {
    const row =
      (await this.organizations.find(organizationId)) ?? (await outsideOrganizations(() => this.findByCredential(organizationId)));
    if (!row) throw new AppError('ORGANIZATION_NOT_FOUND');
    return toOrganization(row);
  }

  /** A gateway of the last release sends the value of VF-ORG-ID. */
  private async findByCredential(value: string) {
    const credential = await this.credentials.findByHash(hashOf(value));
    return credential && this.organizations.find(credential.organizationId);
  }
}

import { Injectable } from '@nestjs/common';
import { organizationRpc, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { domainsCovering } from './domains-covering.js';
import { OrganizationsRepository } from './organizations.repository.js';

@Injectable()
export class VerifyHost {
  constructor(private readonly organizations: OrganizationsRepository) {}

  @Handles(organizationRpc.isVerifiedHost)
  async execute({ host }: RpcInput<typeof organizationRpc.isVerifiedHost>) {
    return { isVerified: await this.organizations.existsWithDomain(domainsCovering(host)) };
  }
}

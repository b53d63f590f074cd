import { Controller } from '@nestjs/common';
import { AppError, organizationRpc, type RpcInput } from '@classroom/contracts';
import { RpcHandler } from '@classroom/messaging';
import { CreateOrganization } from './create-organization.js';
import { ListOrganizations } from './list-organizations.js';
import { toOrganization } from './organization.entity.js';
import { domainsCovering } from './domains-covering.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { UpdateOrganization } from './update-organization.js';

@Controller()
export class OrganizationsRpc {
  constructor(
    private readonly createOrganization: CreateOrganization,
    private readonly updateOrganization: UpdateOrganization,
    private readonly listOrganizations: ListOrganizations,
    private readonly organizations: OrganizationsRepository,
  ) {}

  @RpcHandler(organizationRpc.create)
  async create(input: RpcInput<typeof organizationRpc.create>) {
    return this.createOrganization.execute(input);
  }

  @RpcHandler(organizationRpc.get)
  async get({ organizationId }: RpcInput<typeof organizationRpc.get>) {
    const row = await this.organizations.find(organizationId);
    if (!row) throw new AppError('ORGANIZATION_NOT_FOUND');
    return toOrganization(row);
  }

  @RpcHandler(organizationRpc.list)
  async list({ cursor, limit }: RpcInput<typeof organizationRpc.list>) {
    return this.listOrganizations.execute(cursor, limit);
  }

  @RpcHandler(organizationRpc.isVerifiedHost)
  async isVerifiedHost({ host }: RpcInput<typeof organizationRpc.isVerifiedHost>) {
    return { isVerified: await this.organizations.anyLists(domainsCovering(host)) };
  }

  @RpcHandler(organizationRpc.update)
  async update({ organizationId, changes }: RpcInput<typeof organizationRpc.update>) {
    return this.updateOrganization.execute(organizationId, changes);
  }
}

import { Module } from '@nestjs/common';
import { CreateOrganization } from './create-organization.js';
import { ListOrganizations } from './list-organizations.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { OrganizationsRpc } from './organizations.rpc.js';
import { UpdateOrganization } from './update-organization.js';

@Module({
  controllers: [OrganizationsRpc],
  providers: [CreateOrganization, ListOrganizations, OrganizationsRepository, UpdateOrganization],
})
export class OrganizationsModule {}

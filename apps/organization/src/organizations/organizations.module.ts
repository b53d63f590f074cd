import { Module } from '@nestjs/common';
import { CreateOrganization } from './create-organization.js';
import { GetOrganization } from './get-organization.js';
import { ListOrganizations } from './list-organizations.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { UpdateOrganization } from './update-organization.js';
import { VerifyHost } from './verify-host.js';

@Module({
  providers: [CreateOrganization, GetOrganization, ListOrganizations, OrganizationsRepository, UpdateOrganization, VerifyHost],
  exports: [OrganizationsRepository],
})
export class OrganizationsModule {}

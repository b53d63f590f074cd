import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { CreateOrganization } from './create-organization.js';
import { DashboardSessions } from './dashboard-sessions.js';
import { DashboardSessionsRepository } from './dashboard-sessions.repository.js';
import { DomainProofsRepository } from './domain-proofs.repository.js';
import { GetOrganization } from './get-organization.js';
import { ListOrganizations } from './list-organizations.js';
import { LogosRepository } from './logos.repository.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { ListRetentions } from './list-retentions.js';
import { RevokeDashboardTokens } from './revoke-dashboard-tokens.js';
import { UploadedLogos } from './uploaded-logos.js';
import { UpdateOrganization } from './update-organization.js';
import { VerifyHost } from './verify-host.js';

@Module({
  imports: [AuditModule, CredentialsModule],
  providers: [
    CreateOrganization,
    DashboardSessions,
    DashboardSessionsRepository,
    DomainProofsRepository,
    GetOrganization,
    ListOrganizations,
    ListRetentions,
    LogosRepository,
    OrganizationsRepository,
    RevokeDashboardTokens,
    UpdateOrganization,
    UploadedLogos,
    VerifyHost,
  ],
  exports: [DomainProofsRepository, OrganizationsRepository],
})
export class OrganizationsModule {}

import { Module } from '@nestjs/common';
import { LimitsModule } from '../limits/limits.module.js';
import { ApiKeyDirectory } from './api-key-directory.js';
import { Authentication } from './authentication.js';
import { CredentialDirectory } from './credential-directory.js';
import { CredentialUses } from './credential-uses.js';
import { DashboardSessions } from './dashboard-sessions.js';
import { DashboardTokens } from './dashboard-tokens.js';
import { NamedOrganization } from './named-organization.js';
import { Operators } from './operators.js';
import { OrganizationCaller } from './organization-caller.js';
import { OrganizationDirectory } from './organization-directory.js';
import { BillingPlanCheck } from './billing-plan-check.js';
import { SignedCallers } from './signed-callers.js';

@Module({
  imports: [LimitsModule],
  providers: [
    ApiKeyDirectory,
    Authentication,
    BillingPlanCheck,
    CredentialDirectory,
    CredentialUses,
    DashboardSessions,
    DashboardTokens,
    NamedOrganization,
    Operators,
    OrganizationCaller,
    OrganizationDirectory,
    SignedCallers,
  ],
  exports: [
    Authentication,
    BillingPlanCheck,
    CredentialDirectory,
    DashboardTokens,
    NamedOrganization,
    OrganizationCaller,
    OrganizationDirectory,
    SignedCallers,
  ],
})
export class AuthenticationModule {}

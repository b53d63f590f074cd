import { Module } from '@nestjs/common';
import { LimitsModule } from '../limits/limits.module.js';
import { ApiKeyDirectory } from './api-key-directory.js';
import { ApiKeyUses } from './api-key-uses.js';
import { Authentication } from './authentication.js';
import { DashboardTokens } from './dashboard-tokens.js';
import { OrganizationCaller } from './organization-caller.js';
import { OrganizationDirectory } from './organization-directory.js';
import { PlanGuard } from './plan-guard.js';

@Module({
  imports: [LimitsModule],
  providers: [ApiKeyDirectory, ApiKeyUses, Authentication, DashboardTokens, OrganizationCaller, OrganizationDirectory, PlanGuard],
  exports: [Authentication, DashboardTokens, OrganizationDirectory, PlanGuard],
})
export class AuthenticationModule {}

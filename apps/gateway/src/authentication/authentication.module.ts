import { Module } from '@nestjs/common';
import { LimitsModule } from '../limits/limits.module.js';
import { ApiKeyDirectory } from './api-key-directory.js';
import { ApiKeyUses } from './api-key-uses.js';
import { Authentication } from './authentication.js';
import { DashboardTokens } from './dashboard-tokens.js';
import { OrganizationCaller } from './organization-caller.js';
import { OrganizationDirectory } from './organization-directory.js';
import { BillingPlanCheck } from './billing-plan-check.js';

@Module({
  imports: [LimitsModule],
  providers: [ApiKeyDirectory, ApiKeyUses, Authentication, BillingPlanCheck, DashboardTokens, OrganizationCaller, OrganizationDirectory],
  exports: [Authentication, BillingPlanCheck, DashboardTokens, OrganizationDirectory],
})
export class AuthenticationModule {}

import { z } from 'zod';
import { organizationId, timestamp } from '../kernel/ids.js';
import { NAMES } from '../kernel/names.js';
import { defineAlias, defineOperation } from '../kernel/operation.js';
import { ORGANIZATION } from '../kernel/samples.js';

export const revokedDashboardTokens = z
  .object({
    organizationId: z.string().describe('Id of the organization.'),
    revokedAt: timestamp.describe('When the tokens were revoked.'),
  })
  .register(NAMES, { id: 'RevokedDashboardTokens', description: 'The dashboard tokens of an organization that were revoked.' });

export const revokeDashboardTokens = defineOperation({
  operationId: 'revokeDashboardTokens',
  summary: 'Revoke dashboard tokens',
  description: 'Revokes all dashboard tokens of an organization immediately. Tokens created afterwards are valid.',
  tag: 'Dashboard tokens',
  sdk: 'dashboardTokens.revoke',
  route: 'DELETE /v1/admin/organizations/:organizationId/dashboard-tokens',
  auth: 'dispatch',
  service: 'organization',
  alsoFor: ['organization', 'dashboard:issue'],
  rpc: 'dashboard-token.revoke',
  params: z.object({ organizationId: organizationId.describe('Id of the organization.') }),
  output: revokedDashboardTokens,
  message: 'Dashboard tokens revoked',
  errors: ['ORGANIZATION_NOT_FOUND'],
  example: { params: ORGANIZATION },
});

export const revokeOwnDashboardTokens = defineAlias(revokeDashboardTokens, {
  operationId: 'revokeOwnDashboardTokens',
  summary: 'Revoke own dashboard tokens',
  description: 'Revokes all dashboard tokens of the organization immediately. Tokens created afterwards are valid.',
  tag: 'Own dashboard tokens',
  sdk: 'dashboardTokens.revoke',
  route: 'DELETE /v1/dashboard-tokens',
  auth: 'organization',
  scope: 'dashboard:issue',
  message: 'Dashboard tokens revoked',
  example: {},
});

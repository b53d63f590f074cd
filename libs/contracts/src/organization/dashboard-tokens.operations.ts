import { z } from 'zod';
import { organizationId, timestamp } from '../kernel/ids.js';
import { NAMES } from '../kernel/names.js';
import { defineAlias, defineOperation } from '../kernel/operation.js';
import { ORGANIZATION, SESSION } from '../kernel/samples.js';

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
  isForClosed: true,
  message: 'Dashboard tokens revoked',
  example: {},
});

/** The session that a dashboard token opens: one token is one session. Its id is also that of the entry in the audit log. */
export const dashboardSessionId = z.uuid('must be a session’s id').describe('Id of the session, a UUID.');

export const endedDashboardSession = z
  .object({ sessionId: z.string().describe('Id of the session.'), endedAt: timestamp.describe('When it was ended.') })
  .register(NAMES, { id: 'EndedDashboardSession', description: 'A dashboard session that was ended.' });

export const endOrganizationDashboardSession = defineOperation({
  operationId: 'endOrganizationDashboardSession',
  summary: 'End organization dashboard session',
  description: 'Ends one dashboard session of an organization immediately: its token is no longer valid.',
  tag: 'Dashboard tokens',
  sdk: 'dashboardTokens.endSession',
  route: 'DELETE /v1/admin/organizations/:organizationId/dashboard-sessions/:sessionId',
  auth: 'dispatch',
  service: 'organization',
  alsoFor: ['organization', 'dashboard:issue', 'dashboard'],
  rpc: 'dashboard-token.end',
  params: z.object({ organizationId: organizationId.describe('Id of the organization.'), sessionId: dashboardSessionId }),
  output: endedDashboardSession,
  message: 'Dashboard session ended',
  errors: ['NOT_FOUND'],
  example: { params: { ...ORGANIZATION, ...SESSION } },
});

export const endOwnDashboardSession = defineAlias(endOrganizationDashboardSession, {
  operationId: 'endOwnDashboardSession',
  summary: 'End own dashboard session',
  description: 'Ends one dashboard session of the organization immediately: its token is no longer valid.',
  tag: 'Own dashboard tokens',
  sdk: 'dashboardTokens.endSession',
  route: 'DELETE /v1/dashboard-sessions/:sessionId',
  auth: 'organization',
  scope: 'dashboard:issue',
  isForClosed: true,
  params: z.object({ sessionId: dashboardSessionId }),
  message: 'Dashboard session ended',
  example: { params: SESSION },
});

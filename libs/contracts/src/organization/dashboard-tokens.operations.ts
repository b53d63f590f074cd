import { z } from 'zod';
import { timestamp } from '../kernel/values.js';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { NAMES, SESSION } from '../kernel/reference.js';
import { defineOperation } from '../kernel/operation.js';

export const revokedDashboardTokens = z
  .object({
    organizationId: z.string().describe('Id of the organization.'),
    revokedAt: timestamp.describe('When the tokens were revoked.'),
  })
  .register(NAMES, { id: 'RevokedDashboardTokens', description: 'The dashboard tokens of an organization that were revoked.' });

export const revokeDashboardTokens = defineOperation({
  operationId: 'revokeDashboardTokens',
  summary: 'Revoke dashboard tokens',
  description: 'Revokes all dashboard tokens of the organization immediately. Tokens created afterwards are valid.',
  tag: 'Own dashboard tokens',
  sdk: 'dashboardTokens.revoke',
  route: 'DELETE /v1/dashboard-tokens',
  auth: 'organization',
  scope: 'dashboard:issue',
  isForClosed: true,
  service: 'organization',
  rpc: 'dashboard-token.revoke',
  output: revokedDashboardTokens,
  message: 'Dashboard tokens revoked',
  errors: ['ORGANIZATION_NOT_FOUND'],
  example: {},
  operators: {
    path: '/dashboard-tokens',
    summary: 'Revoke organization dashboard tokens',
    tag: 'Dashboard tokens',
    sdk: 'dashboardTokens.revoke',
  },
});

/** The session that a dashboard token opens: one token is one session. Its id is also that of the entry in the audit log. */
export const dashboardSessionId = z.uuid('must be a session’s id').describe('Id of the session, a UUID.');

export const endedDashboardSession = z
  .object({ sessionId: z.string().describe('Id of the session.'), endedAt: timestamp.describe('When it was ended.') })
  .register(NAMES, { id: 'EndedDashboardSession', description: 'A dashboard session that was ended.' });

export const endDashboardSession = defineEndpoint({
  operationId: 'endDashboardSession',
  summary: 'End dashboard session',
  description:
    'Ends a dashboard session of the organization immediately: its token is no longer valid. With a dashboard token, everyone may end their own session, and an OWNER each.',
  tag: 'Own dashboard tokens',
  sdk: 'dashboardTokens.endSession',
  route: 'DELETE /v1/dashboard-sessions/:sessionId',
  auth: 'organization',
  scope: 'dashboard:issue',
  dashboardRole: 'MEMBER',
  isForClosed: true,
  params: z.object({ sessionId: dashboardSessionId }),
  response: envelope(endedDashboardSession),
  errors: ['NOT_FOUND'],
  example: { params: SESSION },
  operators: {
    path: '/dashboard-sessions/:sessionId',
    summary: 'End organization dashboard session',
    tag: 'Dashboard tokens',
    sdk: 'dashboardTokens.endSession',
  },
});

import { z } from 'zod';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { defineAlias } from '../kernel/operation.js';
import { GENERATED_ID, ORGANIZATION } from '../kernel/samples.js';
import { entryParams, explainedEntry, getBalance } from '../billing/balance.operations.js';
import { getStatementPdf } from '../billing/bill.operations.js';
import { pagination } from '../kernel/fields.js';
import { organizationId } from '../kernel/ids.js';
import { NAMES } from '../kernel/names.js';
import { auditEntry, auditQuery } from '../organization/audit.operations.js';

/** The bill and the audit log as the staff of an organization reads them, and operators. */

const organizationParams = z.object({ organizationId: organizationId.describe('Id of the organization.') });

export const explainDashboardEntry = defineEndpoint({
  operationId: 'explainDashboardEntry',
  summary: 'Explain dashboard charge',
  description: 'Returns the sessions or the AI usage behind a charge and computes the charge again.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/ledger/:entryId/explain',
  auth: 'dashboard',
  params: entryParams,
  response: envelope(explainedEntry),
  errors: ['NOT_FOUND'],
  example: { params: { entryId: GENERATED_ID } },
});

export const getDashboardStatementPdf = defineEndpoint({
  operationId: 'getDashboardStatementPdf',
  summary: 'Get dashboard statement as PDF',
  description: 'Returns a statement as a PDF file: totals by kind, and a line for each class.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/statements/:statementId/pdf',
  auth: 'dashboard',
  params: getStatementPdf.params,
  query: getStatementPdf.query,
  response: z.string().describe('A PDF file.'),
  produces: ['application/pdf'],
  errors: ['NOT_FOUND'],
  example: { params: { statementId: GENERATED_ID }, query: { language: 'de' } },
});

export const getOrganizationStatementPdf = defineEndpoint({
  operationId: 'getOrganizationStatementPdf',
  summary: 'Get statement of organization as PDF',
  description: 'Returns a statement of an organization as a PDF file: totals by kind, and a line for each class.',
  tag: 'Ledger',
  sdk: 'statements.pdf',
  route: 'GET /v1/admin/organizations/:organizationId/statements/:statementId/pdf',
  auth: 'dispatch',
  params: organizationParams.extend(getStatementPdf.params.shape),
  query: getStatementPdf.query,
  response: z.string().describe('A PDF file.'),
  produces: ['application/pdf'],
  errors: ['ORGANIZATION_NOT_FOUND', 'NOT_FOUND'],
  example: { params: { ...ORGANIZATION, statementId: GENERATED_ID }, query: { language: 'de' } },
});

/** Without the changes: those of an organization name its id, which may be a credential. */
export const dashboardAuditEntry = auditEntry
  .omit({ changes: true, address: true, hash: true })
  .register(NAMES, { id: 'DashboardAuditEntry', description: 'One call in the audit log, as the staff of an organization sees it.' });

export const listDashboardAudit = defineEndpoint({
  operationId: 'listDashboardAudit',
  summary: 'List dashboard audit log',
  description: 'Returns who changed, recorded, removed or exported what in the organization, newest first.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/audit',
  auth: 'dashboard',
  query: auditQuery,
  response: envelope(
    z.object({
      entries: z.array(dashboardAuditEntry).describe('The entries, newest first.'),
      pagination: pagination.describe('Where the list continues.'),
    }),
  ),
  example: { query: { operation: 'createDashboardToken', limit: '2' } },
});

export const getOrganizationBalance = defineAlias(getBalance, {
  operationId: 'getOrganizationBalance',
  summary: 'Get balance of organization',
  description: 'Returns the remaining credits (prepaid) or the credits used in this cycle (postpaid) of an organization.',
  tag: 'Ledger',
  sdk: 'credits.balance',
  route: 'GET /v1/admin/organizations/:organizationId/balance',
  auth: 'dispatch',
  params: organizationParams,
  message: 'Balance retrieved',
  errors: ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_SETUP_INCOMPLETE'],
  example: { params: ORGANIZATION },
});

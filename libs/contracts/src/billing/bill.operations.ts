import { z } from 'zod';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { defineAlias } from '../kernel/operation.js';
import { GENERATED_ID } from '../kernel/samples.js';
import { entryParams, explainedEntry, ledgerQuery, listLedger, listStatements } from './balance.operations.js';

/** The bill as the organization's own backend reads it. */

export const listBillingLedger = defineAlias(listLedger, {
  operationId: 'listBillingLedger',
  summary: 'List own ledger',
  description: 'Returns every entry behind the balance, newest first.',
  tag: 'Billing',
  sdk: 'billing.ledger.list',
  route: 'GET /v1/billing/ledger',
  auth: 'organization',
  scope: 'billing:read',
  query: ledgerQuery,
  example: { query: { limit: '2' } },
});

export const explainBillingEntry = defineEndpoint({
  operationId: 'explainBillingEntry',
  summary: 'Explain own charge',
  description: 'Returns the sessions or the AI usage behind a charge and computes the charge again.',
  tag: 'Billing',
  sdk: 'billing.ledger.explain',
  route: 'GET /v1/billing/ledger/:entryId/explain',
  auth: 'organization',
  scope: 'billing:read',
  params: entryParams,
  response: envelope(explainedEntry),
  errors: ['NOT_FOUND'],
  example: { params: { entryId: GENERATED_ID } },
});

export const listBillingStatements = defineAlias(listStatements, {
  operationId: 'listBillingStatements',
  summary: 'List own statements',
  description: 'Returns the closed postpaid cycles, newest first.',
  tag: 'Billing',
  sdk: 'billing.statements.list',
  route: 'GET /v1/billing/statements',
  auth: 'organization',
  scope: 'billing:read',
  example: {},
});

export const statementLanguage = z.enum(['en', 'de']);
export type StatementLanguage = z.infer<typeof statementLanguage>;

export const getStatementPdf = defineEndpoint({
  operationId: 'getStatementPdf',
  summary: 'Get statement as PDF',
  description: 'Returns a statement as a PDF file: totals by kind, and a line for each class.',
  tag: 'Billing',
  sdk: 'billing.statements.pdf',
  route: 'GET /v1/billing/statements/:statementId/pdf',
  auth: 'organization',
  scope: 'billing:read',
  params: z.object({ statementId: z.uuid('must be a statement’s id').describe('Id of the statement, a UUID.') }),
  query: z.object({ language: statementLanguage.default('en').describe('Language of the file: `en` or `de`. Default: `en`.') }),
  response: z.string().describe('A PDF file.'),
  produces: ['application/pdf'],
  errors: ['NOT_FOUND'],
  example: { params: { statementId: GENERATED_ID }, query: { language: 'de' } },
});

import { z } from 'zod';
import { defineOperation } from '../kernel/operation.js';
import { ORGANIZATION } from '../kernel/samples.js';
import { organizationId, text, timestamp } from '../kernel/ids.js';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { cursorQuery } from '../organization/organization.operations.js';

export const prepaidBalance = z.object({
  type: z.literal('PREPAID'),
  status: z.enum(['ACTIVE', 'OVERCONSUMED']),
  remainingCredits: z.number().int(),
  displayCredits: z.number().int(),
  isOverconsumed: z.boolean(),
  creditRate: z.number(),
  estimatedValue: z.number(),
  currency: z.string(),
  message: z.string(),
});

export const postpaidBalance = z.object({
  type: z.literal('POSTPAID'),
  status: z.literal('CONSUMED'),
  billingFrequency: z.enum(['WEEKLY', 'MONTHLY']),
  cycleStartDate: timestamp,
  creditsConsumed: z.number().int(),
  creditsThisCycle: z.number().int(),
  creditRate: z.number(),
  estimatedCost: z.number(),
  currency: z.string(),
  classroomsThisCycle: z.number().int(),
  message: z.string(),
});

export const balance = z.discriminatedUnion('type', [prepaidBalance, postpaidBalance]);
export type Balance = z.infer<typeof balance>;

/** What changed the balance. CHARGE and ADJUSTMENT name the room; entries that an operator posts have a reference. */
export const entryKind = z.enum(['OPENING', 'TOP_UP', 'CORRECTION', 'CHARGE', 'ADJUSTMENT', 'AI_USAGE']);
export type EntryKind = z.infer<typeof entryKind>;

export const ledgerEntry = z.object({
  entryId: z.string(),
  kind: entryKind,
  /** Signed change of the organization's balance. */
  credits: z.number().int(),
  debitAccount: z.string(),
  creditAccount: z.string(),
  creditRate: z.number(),
  amount: z.number(),
  currency: z.string(),
  recordedAt: timestamp,
  reference: z.string().nullable(),
  note: z.string().nullable(),
  roomId: z.string().nullable(),
  sid: z.string().nullable(),
  meterSequence: z.number().int().nullable(),
  meterVersion: z.number().int().nullable(),
  chargedThrough: timestamp.nullable(),
  correctsEntryId: z.string().nullable(),
  /** The billing plan that ended with this correction, which set the balance to 0; null for any other entry. */
  settles: z.enum(['PREPAID', 'POSTPAID']).nullable(),
});
export type LedgerEntry = z.infer<typeof ledgerEntry>;

export const ledgerPage = z.object({
  entries: z.array(ledgerEntry),
  pagination: z.object({ nextCursor: z.string().nullable(), hasMore: z.boolean() }),
});

export const explainedEntry = z.object({
  entry: ledgerEntry,
  /** `totalSeconds`: seconds of the room up to `chargedThrough`, summed from the sessions below. `totalCredits`: the credits for them. */
  totalSeconds: z.number().int(),
  totalCredits: z.number().int(),
  /** Credits charged by earlier entries of this room. */
  chargedBefore: z.number().int(),
  isConsistent: z.boolean(),
  sessions: z.array(
    z.object({
      connectionSid: z.string(),
      uid: z.string(),
      joinedAt: timestamp,
      leftAt: timestamp.nullable(),
      seconds: z.number().int(),
      openedBy: z.string(),
      closedBy: z.string().nullable(),
    }),
  ),
});

export const postCreditsBody = z.object({
  amount: z
    .number()
    .int()
    .min(-1e9)
    .max(1e9)
    .refine((value) => value !== 0, 'must not be 0'),
  reference: text(128),
  note: text(1000).optional(),
});

export const postedCredits = z.object({ entry: ledgerEntry, balance, replayed: z.boolean() });

export const statement = z.object({
  statementId: z.string(),
  cycleStart: timestamp,
  cycleEnd: timestamp,
  creditsConsumed: z.number().int(),
  amount: z.number(),
  currency: z.string(),
  classrooms: z.number().int(),
  closedAt: timestamp,
});

const params = z.object({ organizationId });

export const getBalance = defineOperation({
  operationId: 'getBalance',
  summary: 'Get balance',
  description: 'Returns the remaining credits (prepaid) or the credits used in this cycle (postpaid).',
  tag: 'Usage and billing',
  sdk: 'billing.balance',
  route: 'GET /v1/billing/balance',
  auth: 'organization',
  scope: 'billing:read',
  unknownOrganization: 'ORGANIZATION_NOT_FOUND',
  requiresPlan: true,
  service: 'billing',
  rpc: 'balance.get',
  output: balance,
  message: 'Balance retrieved',
  example: {},
});

export const postCredits = defineOperation({
  operationId: 'postCredits',
  summary: 'Add credits',
  description: 'Tops up an organization, or corrects its balance by a negative amount. A repeated reference counts once.',
  tag: 'Administration',
  route: 'POST /v1/admin/organizations/:organizationId/credits',
  auth: 'dispatch',
  service: 'billing',
  rpc: 'ledger.post-credits',
  params,
  body: postCreditsBody,
  output: postedCredits,
  message: ({ replayed }) => (replayed ? 'This reference was posted before' : 'Credits posted'),
  errors: ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_SETUP_INCOMPLETE'],
  example: { params: ORGANIZATION, body: { amount: 500, reference: 'invoice-2026-0042', note: 'Paid by card' } },
});

export const listLedger = defineOperation({
  operationId: 'listLedger',
  summary: 'List ledger entries',
  description: 'Returns every entry behind the balance, newest first.',
  tag: 'Administration',
  route: 'GET /v1/admin/organizations/:organizationId/ledger',
  auth: 'dispatch',
  service: 'billing',
  rpc: 'ledger.list',
  params,
  query: cursorQuery,
  input: z.object({ organizationId, cursor: z.string().optional(), limit: z.number().int().min(1).max(100) }),
  output: ledgerPage,
  errors: ['ORGANIZATION_NOT_FOUND'],
  example: { params: ORGANIZATION, query: { limit: '2' } },
});

export const explainEntry = defineEndpoint({
  operationId: 'explainEntry',
  summary: 'Explain charge',
  description: 'Returns the sessions behind a charge and computes the charge again.',
  tag: 'Administration',
  route: 'GET /v1/admin/organizations/:organizationId/ledger/:entryId/explain',
  auth: 'dispatch',
  params: params.extend({ entryId: z.uuid('must be an entry’s id') }),
  response: envelope(explainedEntry),
  errors: ['ORGANIZATION_NOT_FOUND', 'NOT_FOUND'],
});

export const listStatements = defineOperation({
  operationId: 'listStatements',
  summary: 'List statements',
  description: 'Returns the closed postpaid cycles, newest first.',
  tag: 'Administration',
  route: 'GET /v1/admin/organizations/:organizationId/statements',
  auth: 'dispatch',
  service: 'billing',
  rpc: 'statement.list',
  params,
  output: z.array(statement),
  errors: ['ORGANIZATION_NOT_FOUND'],
  example: { params: ORGANIZATION },
});

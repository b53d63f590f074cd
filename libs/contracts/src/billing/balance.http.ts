import { z } from 'zod';
import { organizationId, text, timestamp } from '../kernel/ids.js';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { cursorQuery } from '../organization/organization.http.js';

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

/** What moved credits. A charge and an adjustment name the room; what an operator posts has a reference. */
export const entryKind = z.enum(['OPENING', 'TOP_UP', 'CORRECTION', 'CHARGE', 'ADJUSTMENT', 'AI_USAGE']);
export type EntryKind = z.infer<typeof entryKind>;

export const ledgerEntry = z.object({
  entryId: z.string(),
  kind: entryKind,
  /** Signed, as it changed the organization's balance. */
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
  /** The plan that ended with this correction, which brought the balance to 0; null for any other entry. */
  settles: z.enum(['PREPAID', 'POSTPAID']).nullable(),
});
export type LedgerEntry = z.infer<typeof ledgerEntry>;

export const ledgerPage = z.object({
  entries: z.array(ledgerEntry),
  pagination: z.object({ nextCursor: z.string().nullable(), hasMore: z.boolean() }),
});

export const explainedEntry = z.object({
  entry: ledgerEntry,
  /** Seconds of the room up to `chargedThrough`, from the sessions below, and what they come to. */
  totalSeconds: z.number().int(),
  totalCredits: z.number().int(),
  /** Credits that entries of this room before this one had charged. */
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

export const getBalance = defineEndpoint({
  operationId: 'getBalance',
  summary: 'What is left (prepaid) or used in this cycle (postpaid)',
  method: 'GET',
  path: '/v1/billing/balance',
  auth: 'organization',
  unknownOrganization: 'ORGANIZATION_NOT_FOUND',
  response: envelope(balance),
  errors: ['UNAUTHORIZED', 'ORGANIZATION_NOT_FOUND', 'ORGANIZATION_SETUP_INCOMPLETE'],
  requiresPlan: true,
});

export const postCredits = defineEndpoint({
  operationId: 'postCredits',
  summary: 'Top up, or correct by a negative amount; the same reference counts once',
  method: 'POST',
  path: '/v1/admin/organizations/:organizationId/credits',
  auth: 'dispatch',
  params,
  body: postCreditsBody,
  response: envelope(postedCredits),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'ORGANIZATION_NOT_FOUND', 'ORGANIZATION_SETUP_INCOMPLETE', 'IDEMPOTENCY_CONFLICT'],
});

export const listLedger = defineEndpoint({
  operationId: 'listLedger',
  summary: 'Every entry behind the balance, newest first',
  method: 'GET',
  path: '/v1/admin/organizations/:organizationId/ledger',
  auth: 'dispatch',
  params,
  query: cursorQuery,
  response: envelope(ledgerPage),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'ORGANIZATION_NOT_FOUND'],
});

export const explainEntry = defineEndpoint({
  operationId: 'explainEntry',
  summary: 'The sessions behind a charge, computed again',
  method: 'GET',
  path: '/v1/admin/organizations/:organizationId/ledger/:entryId/explain',
  auth: 'dispatch',
  params: params.extend({ entryId: z.uuid('must be an entry’s id') }),
  response: envelope(explainedEntry),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'ORGANIZATION_NOT_FOUND', 'NOT_FOUND'],
});

export const listStatements = defineEndpoint({
  operationId: 'listStatements',
  summary: 'Closed postpaid cycles, newest first',
  method: 'GET',
  path: '/v1/admin/organizations/:organizationId/statements',
  auth: 'dispatch',
  params,
  response: envelope(z.array(statement)),
  errors: ['UNAUTHORIZED', 'ORGANIZATION_NOT_FOUND'],
});

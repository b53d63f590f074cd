import { z } from 'zod';
import { pagination, shown } from '../kernel/fields.js';
import { defineOperation } from '../kernel/operation.js';
import { GENERATED_ID, NAMES, ORGANIZATION } from '../kernel/reference.js';
import { organizationId, pageOf, roomId, text, timestamp } from '../kernel/values.js';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { cursorQuery } from '../organization/organization.operations.js';

const creditsPerHour = z.number().int().describe('Credits that the participants who are connected now use in an hour.');

export const prepaidBalance = z
  .object({
    type: z.literal('PREPAID').describe('The billing plan.'),
    status: z
      .enum(['ACTIVE', 'OVERCONSUMED'])
      .describe('`OVERCONSUMED` while more credits were used than were bought; new rooms may then be refused with 402.'),
    remainingCredits: z.number().int().describe('Credits left; negative when overconsumed. One credit is one minute of one participant.'),
    displayCredits: z.number().int().describe('The absolute value of `remainingCredits`.'),
    isOverconsumed: z.boolean().describe('Whether more credits were used than were bought.'),
    creditRate: shown.creditRate,
    estimatedValue: z.number().describe('`remainingCredits` × `creditRate`, in `currency`.'),
    currency: shown.currency,
    message: z.string().describe('The balance in a sentence.'),
    forecast: z
      .object({
        creditsPerHour,
        reachesZeroAt: timestamp
          .nullable()
          .describe('When nothing is left if no participant joins or leaves; null if nothing is left now.'),
      })
      .optional()
      .describe('What the live classes use; absent while no participant is connected.'),
  })
  .register(NAMES, { id: 'PrepaidBalance', description: 'Credits left of those that were bought.' });

export const postpaidBalance = z
  .object({
    type: z.literal('POSTPAID').describe('The billing plan.'),
    status: z.literal('CONSUMED').describe('Always `CONSUMED`.'),
    billingFrequency: z.enum(['WEEKLY', 'MONTHLY']).describe('Length of a cycle.'),
    cycleStartDate: timestamp.describe('Start of the current cycle.'),
    creditsConsumed: z.number().int().describe('Credits used in the current cycle.'),
    creditsThisCycle: z.number().int().describe('The same as `creditsConsumed`.'),
    creditRate: shown.creditRate,
    estimatedCost: z.number().describe('Cost of the current cycle so far, in `currency`.'),
    currency: shown.currency,
    classroomsThisCycle: z.number().int().describe('Classes charged in the current cycle.'),
    message: z.string().describe('The balance in a sentence.'),
    forecast: z.object({ creditsPerHour }).optional().describe('What the live classes use; absent while no participant is connected.'),
  })
  .register(NAMES, { id: 'PostpaidBalance', description: 'Credits used in the current cycle.' });

export const balance = z
  .discriminatedUnion('type', [prepaidBalance, postpaidBalance])
  .register(NAMES, { id: 'Balance', description: 'The balance of an organization, by its billing plan.' });
export type Balance = z.infer<typeof balance>;

/** What changed the balance. CHARGE and ADJUSTMENT name the room; entries that an operator posts have a reference. */
export const entryKind = z.enum(['OPENING', 'TOP_UP', 'CORRECTION', 'CHARGE', 'ADJUSTMENT', 'AI_USAGE']);
export type EntryKind = z.infer<typeof entryKind>;

export const ledgerEntry = z
  .object({
    entryId: z.string().describe('Id of the entry, a UUID.'),
    kind: entryKind.describe(
      'What changed the balance. `CHARGE` and `ADJUSTMENT` name a room; `OPENING`, `TOP_UP` and `CORRECTION` have a `reference`.',
    ),
    credits: z.number().int().describe('Change of the balance: positive adds credits, negative takes them.'),
    debitAccount: z.string().describe('Account that gives: `customer`, `funding` or `usage`.'),
    creditAccount: z.string().describe('Account that receives: `customer`, `funding` or `usage`.'),
    creditRate: shown.creditRate,
    amount: z.number().describe('`credits` × `creditRate`, in `currency`.'),
    currency: shown.currency,
    recordedAt: timestamp.describe('When the entry was written. Entries never change.'),
    reference: z.string().nullable().describe('The operator’s reference, such as an invoice number; null for a charge.'),
    note: z.string().nullable().describe('The operator’s note; null if there is none.'),
    roomId: z.string().nullable().describe('Your id of the charged room; null for other entries.'),
    roomTitle: z.string().nullable().optional().describe('Title of the charged room; null for other entries. Only in lists.'),
    sid: z.string().nullable().describe('Our id of the charged room; null for other entries.'),
    meterSequence: z
      .number()
      .int()
      .nullable()
      .describe('Number of the charge of this room: 1, 2, 3 … without a gap; null for other entries.'),
    meterVersion: z.number().int().nullable().describe('Version of the room’s sessions that was charged; null for other entries.'),
    chargedThrough: timestamp.nullable().describe('Time up to which the room is charged; null for other entries.'),
    correctsEntryId: z.string().nullable().describe('The earlier entry that an `ADJUSTMENT` corrects; null for other entries.'),
    settles: z
      .enum(['PREPAID', 'POSTPAID'])
      .nullable()
      .describe('The billing plan that ended with this correction, which set the balance to 0; null for any other entry.'),
  })
  .register(NAMES, { id: 'LedgerEntry', description: 'One change of a balance. Entries never change.' });
export type LedgerEntry = z.infer<typeof ledgerEntry>;

export const ledgerPage = z.object({
  entries: z.array(ledgerEntry).max(100).describe('The entries, newest first.'),
  pagination: pagination.describe('Where the list continues.'),
});

export const ledgerQuery = cursorQuery.extend({
  kind: entryKind.optional().describe('Limits the list to entries of this kind. Default: all kinds.'),
  roomId: roomId.optional().describe('Limits the list to the charges of this room. Default: all entries.'),
});

export const explainedEntry = z
  .object({
    entry: ledgerEntry.describe('The entry.'),
    totalSeconds: z.number().int().describe('Seconds of the room up to `chargedThrough`, summed from `sessions`; 0 for `AI_USAGE`.'),
    totalCredits: z
      .number()
      .int()
      .describe('Credits for `totalSeconds`, rounded up; for `AI_USAGE` those of all AI usage up to this entry, rounded up.'),
    chargedBefore: z.number().int().describe('Credits charged by earlier entries of this room, or by earlier ones of `AI_USAGE`.'),
    isConsistent: z.boolean().describe('Whether the entry is exactly the difference of the two.'),
    sessions: pageOf(
      z.object({
        connectionSid: z.string().describe('Id of the connection.'),
        uid: shown.uid,
        joinedAt: timestamp.describe('When the connection began.'),
        leftAt: timestamp.nullable().describe('When it ended; null while it is open.'),
        seconds: z.number().int().describe('Seconds up to `chargedThrough`.'),
        openedBy: z.string().describe('The evidence that opened it, such as a webhook.'),
        closedBy: z.string().nullable().describe('The evidence that closed it; null while it is open.'),
      }),
    ).describe('The sessions that were charged.'),
    aiUsage: pageOf(
      z.object({
        usageId: z.string().describe('Id of the call of a model.'),
        kind: z.string().describe('What called it: `agent` or `tutor`. More may be added.'),
        roomId: z.string().nullable().describe('Your id of the room of the question; null outside a room.'),
        inputTokens: z.number().int().describe('Tokens that the model read.'),
        outputTokens: z.number().int().describe('Tokens that the model wrote.'),
        credits: z.number().describe('Credits of the call, with decimals. Fractions add up until they are whole credits.'),
        usedAt: timestamp.describe('When the model was called.'),
      }),
    )
      .optional()
      .describe('The AI usage that was charged, oldest first; only for `AI_USAGE`.'),
  })
  .register(NAMES, { id: 'ExplainedEntry', description: 'A charge, with the sessions or the AI usage behind it.' });

export const postCreditsBody = z.object({
  amount: z
    .number()
    .int()
    .min(-1e9)
    .max(1e9)
    .refine((value) => value !== 0, 'must not be 0')
    .describe('Credits to add, or to take if negative: -1,000,000,000 to 1,000,000,000, not 0.'),
  reference: text(128).describe('Your reference, such as an invoice number, 1 to 128 characters. A repeated reference counts once.'),
  note: text(1000).optional().describe('A note for the ledger, at most 1,000 characters.'),
});

export const postedCredits = z
  .object({
    entry: ledgerEntry.describe('The ledger entry.'),
    balance: balance.describe('The balance after it.'),
    replayed: z.boolean().describe('Whether the reference had been posted before; then nothing changed.'),
  })
  .register(NAMES, { id: 'PostedCredits', description: 'The entry that was posted, and the balance after it.' });

export const statement = z
  .object({
    statementId: z.string().describe('Id of the statement.'),
    cycleStart: timestamp.describe('Start of the cycle, inclusive.'),
    cycleEnd: timestamp.describe('End of the cycle, exclusive.'),
    creditsConsumed: z.number().int().describe('Credits used in the cycle.'),
    amount: z.number().describe('Amount due, in `currency`.'),
    currency: shown.currency,
    classrooms: z.number().int().describe('Classes charged in the cycle.'),
    closedAt: timestamp.describe('When the statement was made.'),
  })
  .register(NAMES, { id: 'Statement', description: 'The summary of one closed billing cycle.' });

const params = z.object({ organizationId: organizationId.describe('Id of the organization.') });

export const getBalance = defineOperation({
  operationId: 'getBalance',
  summary: 'Get balance',
  description: 'Returns the remaining credits (prepaid) or the credits used in this cycle (postpaid).',
  tag: 'Billing',
  sdk: 'billing.balance',
  route: 'GET /v1/billing/balance',
  auth: 'organization',
  scope: 'billing:read',
  dashboardRole: 'MEMBER',
  unknownOrganization: 'ORGANIZATION_NOT_FOUND',
  requiresPlan: true,
  service: 'billing',
  rpc: 'balance.get',
  output: balance,
  message: 'Balance retrieved',
  errors: ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_SETUP_INCOMPLETE'],
  example: {},
  operators: { path: '/balance', summary: 'Get balance of organization', tag: 'Ledger', sdk: 'credits.balance' },
});

export const postCredits = defineOperation({
  operationId: 'postCredits',
  summary: 'Add credits',
  description: 'Tops up an organization, or corrects its balance by a negative amount. A repeated reference counts once.',
  tag: 'Ledger',
  sdk: 'credits.add',
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
  tag: 'Billing',
  sdk: 'billing.ledger.list',
  route: 'GET /v1/billing/ledger',
  auth: 'organization',
  scope: 'billing:read',
  dashboardRole: 'MEMBER',
  service: 'billing',
  rpc: 'ledger.list',
  query: ledgerQuery,
  input: z.object({
    organizationId,
    cursor: z.string().optional(),
    limit: z.number().int().min(1).max(100),
    kind: entryKind.optional(),
    roomId: roomId.optional(),
  }),
  output: ledgerPage,
  errors: ['ORGANIZATION_NOT_FOUND'],
  example: { query: { limit: '2' } },
  operators: { path: '/ledger', summary: 'List ledger of organization', tag: 'Ledger', sdk: 'ledger.list' },
});

export const explainEntry = defineEndpoint({
  operationId: 'explainEntry',
  summary: 'Explain charge',
  description: 'Returns the sessions or the AI usage behind a charge and computes the charge again.',
  tag: 'Billing',
  sdk: 'billing.ledger.explain',
  route: 'GET /v1/billing/ledger/:entryId/explain',
  auth: 'organization',
  scope: 'billing:read',
  dashboardRole: 'MEMBER',
  params: z.object({ entryId: z.uuid('must be an entry’s id').describe('Id of the entry, a UUID.') }),
  response: envelope(explainedEntry),
  errors: ['NOT_FOUND'],
  example: { params: { entryId: GENERATED_ID } },
  operators: { path: '/ledger/:entryId/explain', summary: 'Explain charge of organization', tag: 'Ledger', sdk: 'ledger.explain' },
});

/** In a list. */
export const MAX_STATEMENTS = 200;

export const listStatements = defineOperation({
  operationId: 'listStatements',
  summary: 'List statements',
  description: 'Returns the closed postpaid cycles, newest first.',
  tag: 'Billing',
  sdk: 'billing.statements.list',
  route: 'GET /v1/billing/statements',
  auth: 'organization',
  scope: 'billing:read',
  dashboardRole: 'MEMBER',
  service: 'billing',
  rpc: 'statement.list',
  output: z.array(statement).max(MAX_STATEMENTS),
  errors: ['ORGANIZATION_NOT_FOUND'],
  example: {},
  operators: { path: '/statements', summary: 'List statements of organization', tag: 'Ledger', sdk: 'statements.list' },
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
  dashboardRole: 'MEMBER',
  params: z.object({ statementId: z.uuid('must be a statement’s id').describe('Id of the statement, a UUID.') }),
  query: z.object({ language: statementLanguage.default('en').describe('Language of the file: `en` or `de`. Default: `en`.') }),
  response: z.string().describe('A PDF file.'),
  produces: ['application/pdf'],
  errors: ['NOT_FOUND'],
  example: { params: { statementId: GENERATED_ID }, query: { language: 'de' } },
  operators: {
    path: '/statements/:statementId/pdf',
    summary: 'Get statement of organization as PDF',
    tag: 'Ledger',
    sdk: 'statements.pdf',
  },
});

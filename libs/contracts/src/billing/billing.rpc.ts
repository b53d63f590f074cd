import { z } from 'zod';
import { organizationId, roomId, timestamp } from '../kernel/ids.js';
import { defineRpc } from '../kernel/rpc.js';
import { streamOpening, streamStarted } from '../kernel/text-stream.js';
import { entryKind, explainedEntry, statement } from './balance.operations.js';
import { attendance, participantSessions } from './reports.operations.js';

const service = 'billing' as const;
const ofOrganization = z.object({ organizationId });
/** The caller joins the pages, each of which fits into one message. */
const pageRequest = { cursor: z.string().optional() };
/** Null on the last page. */
const pageReply = { nextCursor: z.string().nullable() };

/** Whether a CSV file has the names of its columns in its first line. */
const isTable = z.boolean();

/** As the gateway parsed the query: days, not timestamps. */
export const sessionsQuery = ofOrganization.extend({
  uid: z.string(),
  roomId: z.string().optional(),
  startDate: z.string().optional(),
  endDate: z.string().optional(),
  page: z.number().int(),
  limit: z.number().int(),
});
export type SessionsQuery = z.infer<typeof sessionsQuery>;

/** Classes of a statement that have a line of their own. One reply holds them. */
export const MAX_STATEMENT_CLASSES = 400;

const part = { credits: z.number().int(), amount: z.number() };
/** A statement with what it consists of: the entries of its cycle by kind, and the charges of its classes. */
export const statementDetails = statement.extend({
  kinds: z.array(z.object({ kind: entryKind, ...part })),
  /** Oldest first. */
  classes: z
    .array(z.object({ roomId: z.string(), title: z.string(), startedAt: timestamp.nullable(), ...part }))
    .max(MAX_STATEMENT_CLASSES),
  /** The sum of the classes that are not in `classes`. */
  furtherClasses: z.object({ count: z.number().int(), ...part }),
});
export type StatementDetails = z.infer<typeof statementDetails>;

export const billingRpc = {
  /** State of a prepaid balance: overconsumed below zero, exhausted at zero or below. A service asks for it before it answers 402. */
  creditStatus: defineRpc({
    service,
    rpc: 'balance.credit-status',
    callers: ['room', 'ai'],
    input: ofOrganization,
    output: z.object({ isOverconsumed: z.boolean(), isExhausted: z.boolean().default(false) }),
    timeoutMs: 500,
  }),
  explain: defineRpc({
    service,
    rpc: 'ledger.explain',
    input: ofOrganization.extend({ entryId: z.string(), ...pageRequest }),
    output: explainedEntry.extend(pageReply),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
  }),
  statement: defineRpc({
    service,
    rpc: 'statement.get',
    input: ofOrganization.extend({ statementId: z.string() }),
    output: statementDetails,
    errors: ['NOT_FOUND'],
  }),
  sessions: defineRpc({ service, rpc: 'report.sessions', input: sessionsQuery, output: participantSessions }),
  exportSessions: defineRpc({
    service,
    rpc: 'report.export-sessions',
    input: sessionsQuery.extend({ ...streamOpening.shape, isTable }),
    output: streamStarted,
  }),
  exportAttendance: defineRpc({
    service,
    rpc: 'report.export-attendance',
    input: ofOrganization.extend({ roomId, ...streamOpening.shape, isTable }),
    output: streamStarted,
    errors: ['ROOM_NOT_FOUND'],
  }),
  attendance: defineRpc({
    service,
    rpc: 'report.attendance',
    input: ofOrganization.extend({ roomId, ...pageRequest }),
    output: attendance.extend(pageReply),
    errors: ['ROOM_NOT_FOUND', 'VALIDATION_FAILED'],
  }),
};

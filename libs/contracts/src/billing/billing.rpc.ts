import { z } from 'zod';
import { organizationId, roomId, timestamp } from '../kernel/values.js';
import { defineRpc, streamOpening, streamStarted } from '../kernel/rpc.js';
import { explainedEntry, statementLanguage } from './balance.operations.js';
import { attendance, MAX_REPORTED_SESSIONS, participantSessions } from './reports.operations.js';

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
  limit: z.number().int().min(1).max(MAX_REPORTED_SESSIONS),
});
export type SessionsQuery = z.infer<typeof sessionsQuery>;

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
  /** A statement as a PDF file. A stream is text: this one is in base64. */
  exportStatement: defineRpc({
    service,
    rpc: 'statement.export',
    input: ofOrganization.extend({
      statementId: z.string(),
      /** The organization's name, for which the statement is. */
      name: z.string(),
      language: statementLanguage,
      ...streamOpening.shape,
    }),
    output: streamStarted.extend({ cycleStart: timestamp }),
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

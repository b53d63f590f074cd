import { z } from 'zod';
import { organizationId, roomId } from '../kernel/ids.js';
import { defineRpc } from '../kernel/rpc.js';
import { streamOpening, streamStarted } from '../kernel/text-stream.js';
import { balance, explainedEntry, ledgerPage, postCreditsBody, postedCredits, statement } from './balance.http.js';
import { attendance, participantSessions } from './reports.http.js';

const service = 'billing' as const;
const ofOrganization = z.object({ organizationId });
/** A caller that joins pages says so, and gets no more at once than one message holds: a caller of before gets everything, or too much. */
const pageRequest = { isPaged: z.boolean().optional(), cursor: z.string().optional() };
/** Null on the last page; missing from an answer that is whole. */
const pageReply = { nextCursor: z.string().nullable().optional() };

/** As the gateway parsed it: days, not timestamps. */
export const sessionsQuery = ofOrganization.extend({
  uid: z.string(),
  roomId: z.string().optional(),
  startDate: z.string().optional(),
  endDate: z.string().optional(),
  page: z.number().int(),
  limit: z.number().int(),
});
export type SessionsQuery = z.infer<typeof sessionsQuery>;

export const billingRpc = {
  balance: defineRpc({
    service,
    noun: 'balance',
    verb: 'get',
    input: ofOrganization,
    output: balance,
    errors: ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_SETUP_INCOMPLETE'],
  }),
  /** Whether a prepaid organization is below zero, or has nothing left: asked before a 402. */
  standing: defineRpc({
    service,
    noun: 'balance',
    verb: 'standing',
    input: ofOrganization,
    output: z.object({ isOverconsumed: z.boolean(), isExhausted: z.boolean().default(false) }),
    timeoutMs: 500,
  }),
  postCredits: defineRpc({
    service,
    noun: 'ledger',
    verb: 'post-credits',
    input: postCreditsBody.extend({ organizationId }),
    output: postedCredits,
    errors: ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_SETUP_INCOMPLETE', 'IDEMPOTENCY_CONFLICT'],
  }),
  ledger: defineRpc({
    service,
    noun: 'ledger',
    verb: 'list',
    input: ofOrganization.extend({ cursor: z.string().optional(), limit: z.number().int().min(1).max(100) }),
    output: ledgerPage,
    errors: ['VALIDATION_FAILED', 'ORGANIZATION_NOT_FOUND'],
  }),
  explain: defineRpc({
    service,
    noun: 'ledger',
    verb: 'explain',
    input: ofOrganization.extend({ entryId: z.string(), ...pageRequest }),
    output: explainedEntry.extend(pageReply),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
  }),
  statements: defineRpc({
    service,
    noun: 'statement',
    verb: 'list',
    input: ofOrganization,
    output: z.array(statement),
    errors: ['ORGANIZATION_NOT_FOUND'],
  }),
  sessions: defineRpc({ service, noun: 'report', verb: 'sessions', input: sessionsQuery, output: participantSessions }),
  exportSessions: defineRpc({
    service,
    noun: 'report',
    verb: 'export-sessions',
    input: sessionsQuery.extend(streamOpening.shape),
    output: streamStarted,
  }),
  exportAttendance: defineRpc({
    service,
    noun: 'report',
    verb: 'export-attendance',
    input: ofOrganization.extend({ roomId }).extend(streamOpening.shape),
    output: streamStarted,
    errors: ['ROOM_NOT_FOUND'],
  }),
  attendance: defineRpc({
    service,
    noun: 'report',
    verb: 'attendance',
    input: ofOrganization.extend({ roomId, ...pageRequest }),
    output: attendance.extend(pageReply),
    errors: ['ROOM_NOT_FOUND', 'VALIDATION_FAILED'],
  }),
};

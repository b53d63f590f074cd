import { z } from 'zod';
import { organizationId, roomId } from '../kernel/ids.js';
import { defineRpc } from '../kernel/rpc.js';
import { streamOpening, streamStarted } from '../kernel/text-stream.js';
import { explainedEntry } from './balance.operations.js';
import { attendance, participantSessions } from './reports.operations.js';

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
  /** Whether a prepaid organization is below zero, or has nothing left: asked before a 402. */
  standing: defineRpc({
    service,
    rpc: 'balance.standing',
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
  sessions: defineRpc({ service, rpc: 'report.sessions', input: sessionsQuery, output: participantSessions }),
  exportSessions: defineRpc({
    service,
    rpc: 'report.export-sessions',
    input: sessionsQuery.extend(streamOpening.shape),
    output: streamStarted,
  }),
  exportAttendance: defineRpc({
    service,
    rpc: 'report.export-attendance',
    input: ofOrganization.extend({ roomId }).extend(streamOpening.shape),
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

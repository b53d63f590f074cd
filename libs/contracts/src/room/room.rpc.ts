import { z } from 'zod';
import { organizationId, pageOf, roomId, roomSid, timestamp, uid } from '../kernel/values.js';
import { defineRpc } from '../kernel/rpc.js';
import { attendancePolicy } from './attendance-settings.js';
import { participantConnection, roomRecording } from './room.events.js';

const service = 'room' as const;
/** Items of one answer at most. */
export const MAX_DESCRIBED_TEACHERS = 10;
export const MAX_LISTED_CONNECTIONS = 200;
export const MAX_LISTED_FINISHED = 200;

const ofOrganization = z.object({ organizationId, roomId });

export const roomRpc = {
  /** The organization and roomId of a sid. Only that organization's domains may frame the page. */
  locate: defineRpc({
    service,
    rpc: 'room.locate',
    input: z.object({ sid: roomSid }),
    output: z.object({ organizationId: z.string(), roomId: z.string(), isOver: z.boolean().default(false) }),
    errors: ['ROOM_NOT_FOUND'],
    timeoutMs: 3_000,
  }),
  /** A room's identity, for a service that has not received a fact about it yet. */
  describe: defineRpc({
    service,
    rpc: 'room.describe',
    callers: ['ai', 'billing', 'media', 'recording'],
    /** `uid`: whether that participant may use AI. */
    input: ofOrganization.extend({ uid: z.string().optional() }),
    output: z.object({
      sid: z.string(),
      roomId: z.string(),
      title: z.string(),
      state: z.enum(['created', 'live', 'finished']),
      startedAt: timestamp.nullable(),
      endedAt: timestamp.nullable(),
      /** From here on: what a tutor may know about the class. */
      roomDescription: z.string().nullable().default(null),
      metadata: z.record(z.string(), z.unknown()).nullable().default(null),
      settings: z.object({ maxParticipants: z.number(), emptyTimeout: z.number() }).nullable().default(null),
      teachers: z.array(z.string()).max(MAX_DESCRIBED_TEACHERS).default([]),
      /** Whether the class, and the participant with `uid`, may use AI. */
      mayUseAi: z.boolean().default(true),
      /** Whether the class has an attendance policy. */
      isAttendanceEvaluated: z.boolean().default(false),
    }),
    errors: ['ROOM_NOT_FOUND'],
    timeoutMs: 2_000,
  }),
  /** By what the attendance of a class is evaluated, and its roster in the order of uids, after `after`: as many people as fit into one message. */
  attendanceBasis: defineRpc({
    service,
    rpc: 'room.attendance-basis',
    callers: ['billing'],
    /** `now`: up to when a class counts that has not ended. */
    input: ofOrganization.extend({ now: timestamp, after: z.string().optional() }),
    output: z.object({
      /** Null: attendance is not evaluated, or there was no lesson yet. `lesson`: a period in seconds since 1970. */
      basis: z.object({ policy: attendancePolicy, lesson: z.tuple([z.number().int(), z.number().int()]) }).nullable(),
      roster: pageOf(z.object({ uid: z.string(), name: z.string().nullable() })),
      /** The `after` of the next page; null on the last. */
      next: z.string().nullable(),
    }),
    errors: ['ROOM_NOT_FOUND'],
    timeoutMs: 2_000,
  }),
  /** When a participant was connected, in all classes of the organization, in pages: the recording service finds the recordings of that time. */
  stays: defineRpc({
    service,
    rpc: 'room.stays',
    callers: ['recording'],
    /** `after`: the `next` of the page before; empty for the first one. */
    input: z.object({ organizationId, uid, after: z.array(z.string()).max(10), limit: z.number().int().min(1).max(500) }),
    /** `leftAt` is null while the connection is open. */
    output: z.object({
      stays: z.array(z.object({ sid: z.string(), joinedAt: timestamp, leftAt: timestamp.nullable() })).max(500),
      next: z.array(z.string()).max(10).nullable(),
    }),
    timeoutMs: 5_000,
  }),
  /** The names of a class's students. The AI service redacts them, so that students do not learn about each other. */
  studentNames: defineRpc({
    service,
    rpc: 'room.student-names',
    callers: ['ai'],
    needsCaller: true,
    input: z.object({ organizationId, sid: z.string() }),
    /** Incomplete if the names do not fit into one message. */
    output: z.object({ names: pageOf(z.string()), isComplete: z.boolean() }),
    timeoutMs: 2_000,
  }),
  /**
   * The recording service reports a state that it has just written, so that the room's status is correct when the caller gets its
   * answer. The same state also arrives as a fact, in case this call is lost. The answer says whether the class is still running.
   */
  noteRecording: defineRpc({
    service,
    rpc: 'room.note-recording',
    callers: ['recording'],
    input: roomRecording,
    output: z.object({ isLive: z.boolean() }),
    timeoutMs: 2_000,
  }),
  /** Every counted interval of a room, in pages ordered by connection sid: for a consumer that missed events, and for dashboards. */
  connections: defineRpc({
    service,
    rpc: 'room.connections',
    callers: ['billing', 'gateway'],
    input: z.object({ sid: z.string(), after: z.string().optional(), limit: z.number().int().min(1).max(MAX_LISTED_CONNECTIONS) }),
    output: z.object({ connections: z.array(participantConnection.data).max(MAX_LISTED_CONNECTIONS) }),
    errors: ['ROOM_NOT_FOUND'],
    timeoutMs: 3_000,
  }),
  /**
   * Finished rooms of all organizations, in the order in which their ends were written, after (`after`, `afterSid`) and before
   * `before`. For a service that may have missed every fact of a room. A row becomes visible up to a few seconds after its
   * `writtenAt`.
   */
  finishedSince: defineRpc({
    service,
    rpc: 'room.finished-since',
    callers: ['billing'],
    input: z.object({
      after: timestamp,
      afterSid: z.string().default(''),
      before: timestamp,
      limit: z.number().int().min(1).max(MAX_LISTED_FINISHED),
    }),
    output: z.object({
      rooms: z
        .array(
          z.object({
            sid: z.string(),
            organizationId: z.string(),
            roomId: z.string(),
            title: z.string(),
            startedAt: timestamp.nullable(),
            endedAt: timestamp,
            writtenAt: timestamp,
          }),
        )
        .max(MAX_LISTED_FINISHED),
    }),
    timeoutMs: 3_000,
  }),
  hasLive: defineRpc({
    service,
    rpc: 'room.has-live',
    callers: ['organization'],
    needsCaller: true,
    input: z.object({ organizationId }),
    output: z.object({ hasLive: z.boolean() }),
    timeoutMs: 2_000,
  }),
};

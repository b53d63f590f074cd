import { z } from 'zod';
import { organizationId, roomId, roomSid, timestamp } from '../kernel/ids.js';
import { defineRpc, replayable } from '../kernel/rpc.js';
import { participantConnection } from './room.events.js';
import { roomRecording } from './room-recording.js';
import { createRoomBody, createRoomResult, endedRoom, joinResult, participant, roomStatus } from './room.http.js';
import { roomSummary } from './summary.http.js';

const service = 'room' as const;
const noun = 'room';
const ofOrganization = z.object({ organizationId, roomId });

export const roomRpc = {
  create: defineRpc({
    service,
    noun,
    verb: 'create',
    input: createRoomBody.extend({
      organizationId,
      /** The caller's key and a hash of its body; both are kept in the room's row. */
      idempotency: z.object({ key: z.string(), bodyHash: z.string() }).optional(),
    }),
    output: replayable(createRoomResult),
    errors: ['INSUFFICIENT_CREDITS', 'ROOM_ID_ALREADY_USED', 'IDEMPOTENCY_CONFLICT', 'SERVICE_UNAVAILABLE'],
    timeoutMs: 4_800,
    // It would use up the roomId, and the caller's next try would be refused.
    mayRunLate: false,
  }),
  join: defineRpc({
    service,
    noun,
    verb: 'join',
    input: ofOrganization.extend({ participant }),
    output: joinResult,
    errors: ['ROOM_NOT_FOUND', 'ROOM_ENDED', 'ROOM_FULL'],
  }),
  status: defineRpc({ service, noun, verb: 'status', input: ofOrganization, output: roomStatus }),
  end: defineRpc({
    service,
    noun,
    verb: 'end',
    input: ofOrganization,
    output: endedRoom,
    errors: ['ROOM_NOT_FOUND', 'ROOM_ENDED'],
  }),
  /** Whose room a sid is: the page's shell is framed by that organization's domains only. */
  locate: defineRpc({
    service,
    noun,
    verb: 'locate',
    input: z.object({ sid: roomSid }),
    output: z.object({ organizationId: z.string(), roomId: z.string() }),
    errors: ['ROOM_NOT_FOUND'],
    timeoutMs: 3_000,
  }),
  /** What a class came to, from the connections themselves. */
  summary: defineRpc({
    service,
    noun,
    verb: 'summary',
    input: ofOrganization,
    output: roomSummary,
    errors: ['ROOM_NOT_FOUND'],
  }),
  /** A room's identity, for a service that has not heard of it yet. */
  describe: defineRpc({
    service,
    noun,
    verb: 'describe',
    input: ofOrganization,
    output: z.object({
      sid: z.string(),
      roomId: z.string(),
      title: z.string(),
      state: z.enum(['created', 'live', 'finished']),
      startedAt: timestamp.nullable(),
      endedAt: timestamp.nullable(),
      /** What a tutor may know of the class. */
      roomDescription: z.string().nullable().default(null),
      metadata: z.record(z.string(), z.unknown()).nullable().default(null),
      settings: z.object({ maxParticipants: z.number(), emptyTimeout: z.number() }).nullable().default(null),
      teachers: z.array(z.string()).default([]),
    }),
    errors: ['ROOM_NOT_FOUND'],
    timeoutMs: 2_000,
  }),
  /** The names of a class's students, who are not to be told of one another. */
  studentNames: defineRpc({
    service,
    noun,
    verb: 'student-names',
    input: z.object({ organizationId, sid: z.string() }),
    /** Incomplete where they would not fit into a message. */
    output: z.object({ names: z.array(z.string()), isComplete: z.boolean() }),
    timeoutMs: 2_000,
  }),
  /**
   * The recording service tells what it has just written, so that the room's status is right when the caller has its
   * answer; the same comes as a fact for when this was missed. Answers whether the class goes on.
   */
  noteRecording: defineRpc({
    service,
    noun,
    verb: 'note-recording',
    input: roomRecording,
    output: z.object({ isLive: z.boolean() }),
    timeoutMs: 2_000,
  }),
  /** Every counted interval of a room, by pages of the connection's sid: what a fold that missed events fetches. */
  connections: defineRpc({
    service,
    noun,
    verb: 'connections',
    input: z.object({ sid: z.string(), after: z.string().optional(), limit: z.number().int().min(1).max(500) }),
    output: z.object({ connections: z.array(participantConnection.data) }),
    errors: ['ROOM_NOT_FOUND'],
    timeoutMs: 3_000,
  }),
  /**
   * Rooms of all organizations that are over, in the order in which their ends were written, after that of `after` and `afterSid` and
   * before `before`: for who may have missed every fact of one. An end is known a few seconds after the time it was written at.
   */
  finishedSince: defineRpc({
    service,
    noun,
    verb: 'finished-since',
    input: z.object({ after: timestamp, afterSid: z.string().default(''), before: timestamp, limit: z.number().int().min(1).max(500) }),
    output: z.object({
      rooms: z.array(
        z.object({
          sid: z.string(),
          organizationId: z.string(),
          roomId: z.string(),
          title: z.string(),
          startedAt: timestamp.nullable(),
          endedAt: timestamp,
          writtenAt: timestamp,
        }),
      ),
    }),
    timeoutMs: 3_000,
  }),
  hasLive: defineRpc({
    service,
    noun,
    verb: 'has-live',
    input: z.object({ organizationId }),
    output: z.object({ hasLive: z.boolean() }),
    timeoutMs: 2_000,
  }),
};

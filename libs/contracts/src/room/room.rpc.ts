import { z } from 'zod';
import { organizationId, roomId, roomSid, timestamp } from '../kernel/ids.js';
import { defineRpc } from '../kernel/rpc.js';
import { participantConnection } from './room.events.js';
import { roomRecording } from './room-recording.js';

const service = 'room' as const;
const ofOrganization = z.object({ organizationId, roomId });

export const roomRpc = {
  /** Whose room a sid is: the page's shell is framed by that organization's domains only. */
  locate: defineRpc({
    service,
    rpc: 'room.locate',
    input: z.object({ sid: roomSid }),
    output: z.object({ organizationId: z.string(), roomId: z.string() }),
    errors: ['ROOM_NOT_FOUND'],
    timeoutMs: 3_000,
  }),
  /** A room's identity, for a service that has not heard of it yet. */
  describe: defineRpc({
    service,
    rpc: 'room.describe',
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
    rpc: 'room.student-names',
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
    rpc: 'room.note-recording',
    input: roomRecording,
    output: z.object({ isLive: z.boolean() }),
    timeoutMs: 2_000,
  }),
  /** Every counted interval of a room, by pages of the connection's sid: what a fold that missed events fetches. */
  connections: defineRpc({
    service,
    rpc: 'room.connections',
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
    rpc: 'room.finished-since',
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
    rpc: 'room.has-live',
    input: z.object({ organizationId }),
    output: z.object({ hasLive: z.boolean() }),
    timeoutMs: 2_000,
  }),
};

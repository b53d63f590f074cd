import { z } from 'zod';
import { timestamp } from '../kernel/ids.js';

/** What an organization's backend is told of, by webhook and in the history alike; facts of the services, without what is theirs alone. */

const room = { roomId: z.string(), sid: z.string() };
const person = { uid: z.string(), name: z.string(), role: z.string() };
/** One connection of one participant. */
const connection = { ...room, connectionId: z.string(), ...person, joinedAt: timestamp };
const recording = z.object({
  ...room,
  recordingId: z.string(),
  egressId: z.string(),
  status: z.string(),
  startedAt: timestamp,
  endedAt: timestamp.nullable(),
  /** Seconds of the file; null until it is known. */
  duration: z.number().int().nullable(),
  reason: z.string().nullable(),
});
const video = { videoId: z.string(), title: z.string() };

/** The data of each type. */
export const PUBLIC_EVENTS = {
  'room.created': z.object({ ...room, title: z.string(), createdAt: timestamp }),
  /** The first participant came. */
  'room.started': z.object({ ...room, title: z.string(), startedAt: timestamp }),
  'room.finished': z.object({
    ...room,
    title: z.string(),
    /** Null where nobody ever came. */
    startedAt: timestamp.nullable(),
    endedAt: timestamp,
    reason: z.string(),
    /** Seconds of all participants together. */
    totalSeconds: z.number().int(),
  }),
  'participant.joined': z.object(connection),
  'participant.left': z.object({ ...connection, leftAt: timestamp, duration: z.number().int() }),
  'participant.removed': z.object({
    ...room,
    uid: z.string(),
    /** Who in the class did it; null where the organization's backend did. */
    removedBy: z.string().nullable(),
    removedAt: timestamp,
  }),
  'recording.started': recording,
  'recording.completed': recording,
  'recording.failed': recording,
  'recording.deleted': recording,
  'credits.low': z.object({ remainingCredits: z.number().int(), threshold: z.number().int() }),
  'credits.overconsumed': z.object({ remainingCredits: z.number().int() }),
  'video.completed': z.object({ ...video, duration: z.number().int().nullable() }),
  'video.failed': z.object({ ...video, message: z.string().nullable() }),
  /** Nothing is sent to that endpoint any more; the organization's other endpoints hear of it. */
  'webhook.endpoint_disabled': z.object({ endpointId: z.string(), reason: z.enum(['gone', 'failing']), disabledAt: timestamp }),
} as const satisfies Record<string, z.ZodType>;

export type PublicEventType = keyof typeof PUBLIC_EVENTS;
export type PublicEventData<T extends PublicEventType> = z.infer<(typeof PUBLIC_EVENTS)[T]>;

const types = Object.keys(PUBLIC_EVENTS) as [PublicEventType, ...PublicEventType[]];
export const publicEventType = z.enum(types);

/** As it stands in the history, and is the body of a webhook. */
export const publicEvent = z.object({
  /** Also the webhook's `webhook-id`: the same however often it is sent. */
  id: z.string(),
  /** There will be others: leave alone what you don't know. */
  type: publicEventType.meta({ 'x-extensible': true }),
  /** When it became true. */
  timestamp,
  /** Its place in the organization's history: 1, 2, 3 … without a gap. */
  sequence: z.number().int(),
  /** As `PUBLIC_EVENTS` says for the type; newer versions may add to it. */
  data: z.record(z.string(), z.unknown()),
});
export type PublicEvent = z.infer<typeof publicEvent>;

/** What a test sends: of no history, and so of no place in it. */
export const pingEvent = z.object({
  id: z.string(),
  type: z.literal('ping'),
  timestamp,
  sequence: z.null(),
  data: z.object({ endpointId: z.string() }),
});
export type PingEvent = z.infer<typeof pingEvent>;

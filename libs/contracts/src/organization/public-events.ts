import { z } from 'zod';
import { timestamp } from '../kernel/ids.js';

/** The events that an organization's backend receives by webhook and reads in the history: the services' facts without internal fields. */

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
  /** The first participant joined. */
  'room.started': z.object({ ...room, title: z.string(), startedAt: timestamp }),
  'room.finished': z.object({
    ...room,
    title: z.string(),
    /** Null if no participant ever joined. */
    startedAt: timestamp.nullable(),
    endedAt: timestamp,
    reason: z.string(),
    /** Total seconds of all participants. */
    totalSeconds: z.number().int(),
  }),
  'participant.joined': z.object(connection),
  'participant.left': z.object({ ...connection, leftAt: timestamp, duration: z.number().int() }),
  'participant.removed': z.object({
    ...room,
    uid: z.string(),
    /** The uid of the participant who removed this one; null if the organization's backend did. */
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
  /** Nothing more is sent to that endpoint. The organization's other endpoints receive this event. */
  'webhook.endpoint_disabled': z.object({ endpointId: z.string(), reason: z.enum(['gone', 'failing']), disabledAt: timestamp }),
} as const satisfies Record<string, z.ZodType>;

export type PublicEventType = keyof typeof PUBLIC_EVENTS;
export type PublicEventData<T extends PublicEventType> = z.infer<(typeof PUBLIC_EVENTS)[T]>;

const types = Object.keys(PUBLIC_EVENTS) as [PublicEventType, ...PublicEventType[]];
export const publicEventType = z.enum(types);

/** An event as the history lists it and as the body of a webhook. */
export const publicEvent = z.object({
  /** Also the `webhook-id` header; every attempt to deliver the event has the same id. */
  id: z.string(),
  /** More types will be added: ignore types that you do not know. */
  type: publicEventType.meta({ 'x-extensible': true }),
  /** When the event became true. */
  timestamp,
  /** Position in the organization's history: 1, 2, 3 … without a gap. */
  sequence: z.number().int(),
  /** The data that `PUBLIC_EVENTS` defines for the type; newer versions may add fields. */
  data: z.record(z.string(), z.unknown()),
});
export type PublicEvent = z.infer<typeof publicEvent>;

/** The event of a test delivery. It is not part of the history and has no sequence. */
export const pingEvent = z.object({
  id: z.string(),
  type: z.literal('ping'),
  timestamp,
  sequence: z.null(),
  data: z.object({ endpointId: z.string() }),
});
export type PingEvent = z.infer<typeof pingEvent>;

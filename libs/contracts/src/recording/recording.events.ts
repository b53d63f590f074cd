import { z } from 'zod';
import { defineEvent } from '../kernel/events.js';
import { timestamp } from '../kernel/ids.js';
import { roomRecording } from '../room/room-recording.js';

const service = 'recording' as const;

/** The whole recording each time something of it changes: a fold by the higher version needs no order. */
export const recordingFact = roomRecording.extend({
  organizationId: z.string(),
  roomId: z.string(),
  endedAt: timestamp.nullable(),
  /** Seconds of the file; null until it is known. */
  duration: z.number().int().nullable(),
  reason: z.string().nullable(),
});
export type RecordingFact = z.infer<typeof recordingFact>;

const happened = (verb: string) => defineEvent({ service, noun: 'recording', happened: verb, data: recordingFact });

export const recordingStarted = happened('started');
export const recordingActive = happened('active');
/** Asked to stop; the file is being made. */
export const recordingEnding = happened('ending');
export const recordingCompleted = happened('completed');
export const recordingFailed = happened('failed');
/** Its file was deleted when its time was over. */
export const recordingDeleted = happened('deleted');

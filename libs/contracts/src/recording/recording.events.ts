import { z } from 'zod';
import { defineEvent } from '../kernel/events.js';
import { timestamp } from '../kernel/ids.js';
import { roomRecording } from '../room/room-recording.js';

const service = 'recording' as const;

/** The whole recording, published after each change. A consumer keeps the higher version, so order does not matter. */
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
/** The recording was asked to stop; the file is not finished yet. */
export const recordingEnding = happened('ending');
export const recordingCompleted = happened('completed');
export const recordingFailed = happened('failed');
/** The file was deleted at the end of its retention. */
export const recordingDeleted = happened('deleted');

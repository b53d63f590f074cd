import { z } from 'zod';
import { defineEvent } from '../kernel/events.js';
import { timestamp } from '../kernel/values.js';
import { roomRecording } from '../room/room.events.js';

const service = 'recording' as const;

/** The whole recording, published after each change. A consumer keeps the higher version, so order does not matter. */
export const recordingFact = roomRecording.extend({
  organizationId: z.string(),
  roomId: z.string(),
  endedAt: timestamp.nullable(),
  /** Seconds of the file; null until it is known. */
  duration: z.number().int().nullable(),
  reason: z.string().nullable(),
  health: z.string(),
  /** Whether it is made of other recordings, after the class. */
  isMerged: z.boolean(),
});
export type RecordingFact = z.infer<typeof recordingFact>;

const copyFact = z.object({ organizationId: z.string(), sid: z.string(), roomId: z.string(), egressId: z.string() });

/** The file of a recording is in the organization's own bucket. */
export const recordingCopied = defineEvent({
  service,
  noun: 'recording-copy',
  happened: 'completed',
  data: copyFact.extend({
    bucket: z.string(),
    key: z.string(),
    /** Bytes. */
    size: z.number().int(),
    /** SHA-256 of the file in hexadecimal. */
    sha256: z.string(),
    copiedAt: timestamp,
  }),
});

/** No further attempt will be made to copy the file of a recording. */
export const recordingCopyFailed = defineEvent({
  service,
  noun: 'recording-copy',
  happened: 'failed',
  data: copyFact.extend({ error: z.string(), attempts: z.number().int(), failedAt: timestamp }),
});

const happened = (verb: string) => defineEvent({ service, noun: 'recording', happened: verb, data: recordingFact });

export const recordingStarted = happened('started');
export const recordingActive = happened('active');
/** The recording was asked to stop; the file is not finished yet. */
export const recordingEnding = happened('ending');
export const recordingCompleted = happened('completed');
export const recordingFailed = happened('failed');
/** What is wrong with the recording has changed. Of the same version as the state in which it did. */
export const recordingHealthChanged = happened('health-changed');
/** The file was deleted at the end of its retention. */
export const recordingDeleted = happened('deleted');

import { z } from 'zod';
import { roomSid, timestamp } from '../kernel/values.js';
import { defineRpc } from '../kernel/rpc.js';

/** LiveKit's id of an egress, or one of the same form from the embedded engine. */
export const egressId = z.string().regex(/^EG_[A-Za-z0-9]{8,64}$/, 'must be an egress id such as EG_…');

export const recordingLayout = z.enum(['grid', 'speaker']);
export const recordingPreset = z.enum(['H264_720P_30', 'H264_1080P_30']);
export type RecordingPreset = z.infer<typeof recordingPreset>;

/**
 * A recorder ends a capture after so long, and makes no longer file of several; a video that is stored may be as long. The chart's pods of recorders and
 * workers of media have the time and the disk for it.
 */
export const LONGEST_RECORDING_SECONDS = 6 * 3600;

/** The request for one recording to the embedded recorder. */
export const captureJob = z.object({
  egressId,
  sid: roomSid,
  /** `livekitUrl`: LiveKit's address for the recorder's browser. `token`: the token it joins with, unchanged (hidden, subscribe only). */
  livekitUrl: z.string(),
  token: z.string(),
  /** The token with which the page reads the class's board. Absent: it shows none. */
  boardToken: z.string().optional(),
  /** The recording page's address, without a query. */
  pageUrl: z.string(),
  title: z.string(),
  /** Path of the logo at the recording page's origin; empty if none is to be shown. */
  logoUrl: z.string(),
  layout: recordingLayout,
  preset: recordingPreset,
  /** Whether the file has sound only. Absent: it has a picture too. */
  audioOnly: z.boolean().optional(),
  /** Key of the finished file in the bucket. */
  objectKey: z.string(),
});
export type CaptureJob = z.infer<typeof captureJob>;

/** The request to make one file of several that were recorded. */
export const mergeJob = captureJob
  .pick({ egressId: true, sid: true, layout: true, preset: true, audioOnly: true, objectKey: true })
  .extend({
    /** Signed addresses of the files, in their order. */
    parts: z.array(z.url()).min(2),
    /** When the first part began and the last one ended. */
    startedAt: timestamp,
    endedAt: timestamp,
  });
export type MergeJob = z.infer<typeof mergeJob>;

const service = 'recorder' as const;

/**
 * A recorder subscribes to `start` only while it has a free slot: "no responder" means that no slot is free. The calls about one
 * capture use that capture's own subject (`captureSubject`), to which only the recorder that runs it subscribes.
 */
export const recorderRpc = {
  start: defineRpc({
    service,
    rpc: 'capture.start',
    callers: ['recording'],
    input: captureJob,
    output: z.object({ egressId: z.string() }),
    errors: ['SERVICE_UNAVAILABLE'],
    timeoutMs: 4_000,
    waitsForResponder: false,
  }),
  /** As `start`; the progress is reported in the same way. A merge cannot be stopped. */
  merge: defineRpc({
    service,
    rpc: 'capture.merge',
    callers: ['recording'],
    input: mergeJob,
    output: z.object({ egressId: z.string() }),
    errors: ['SERVICE_UNAVAILABLE'],
    timeoutMs: 4_000,
    waitsForResponder: false,
  }),
  /** Idempotent. Answers when the recorder has accepted the stop, long before the file exists. */
  stop: defineRpc({
    service,
    rpc: 'capture.stop',
    callers: ['recording'],
    input: z.object({ egressId }),
    output: z.object({ egressId: z.string() }),
    errors: ['RECORDING_NOT_FOUND'],
    timeoutMs: 2_000,
  }),
  describe: defineRpc({
    service,
    rpc: 'capture.describe',
    callers: ['recording'],
    input: z.object({ egressId }),
    output: z.object({ egressInfo: z.unknown() }),
    errors: ['RECORDING_NOT_FOUND'],
    timeoutMs: 2_000,
  }),
};

/** `rpc.recorder.capture.stop.v1.EG_…` */
export const captureSubject = (contract: { subject: string }, id: string) => `${contract.subject}.${id}`;

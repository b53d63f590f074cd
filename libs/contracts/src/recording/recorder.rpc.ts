import { z } from 'zod';
import { roomSid } from '../kernel/ids.js';
import { defineRpc } from '../kernel/rpc.js';

/** LiveKit's id of an egress, or the embedded engine's of the same form. */
export const egressId = z.string().regex(/^EG_[A-Za-z0-9]{8,64}$/, 'must be an egress id such as EG_…');

export const recordingLayout = z.enum(['grid', 'speaker']);
export const recordingPreset = z.enum(['H264_720P_30', 'H264_1080P_30']);
export type RecordingPreset = z.infer<typeof recordingPreset>;

/** One recording, as the embedded recorder takes it. */
export const captureJob = z.object({
  egressId,
  sid: roomSid,
  /** LiveKit as the recorder's browser reaches it, and the token it joins with as it is (hidden, subscribe only). */
  livekitUrl: z.string(),
  token: z.string(),
  /** The recording page's address, without query. */
  pageUrl: z.string(),
  title: z.string(),
  /** Empty where none is to be shown. */
  logoUrl: z.string(),
  layout: recordingLayout,
  preset: recordingPreset,
  /** Where the finished file goes in the bucket. */
  objectKey: z.string(),
});
export type CaptureJob = z.infer<typeof captureJob>;

const service = 'recorder' as const;

/**
 * A recorder listens to `start` only while it has a free slot, so that nobody listening means none is free. What concerns
 * one capture has that capture's own subject (`captureSubject`), on which only the recorder that has it listens.
 */
export const recorderRpc = {
  start: defineRpc({
    service,
    rpc: 'capture.start',
    input: captureJob,
    output: z.object({ egressId: z.string() }),
    errors: ['SERVICE_UNAVAILABLE'],
    timeoutMs: 4_000,
    waitsForResponder: false,
  }),
  /** Idempotent; answers once the recorder knows, long before the file is there. */
  stop: defineRpc({
    service,
    rpc: 'capture.stop',
    input: z.object({ egressId }),
    output: z.object({ egressId: z.string() }),
    errors: ['RECORDING_NOT_FOUND'],
    timeoutMs: 2_000,
  }),
  describe: defineRpc({
    service,
    rpc: 'capture.describe',
    input: z.object({ egressId }),
    output: z.object({ egressInfo: z.unknown() }),
    errors: ['RECORDING_NOT_FOUND'],
    timeoutMs: 2_000,
  }),
};

/** `rpc.recorder.capture.stop.v1.EG_…` */
export const captureSubject = (contract: { subject: string }, id: string) => `${contract.subject}.${id}`;

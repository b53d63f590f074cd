import type { RecordingFile, StoredJob, Progress, Step } from './progress.js';

/** In the form of LiveKit's webhooks: int64 as strings, times in nanoseconds. */
export interface EgressEvent {
  event: 'egress_started' | 'egress_updated' | 'egress_ended';
  /** The same for the same step of a capture, whichever process publishes it and however often. */
  id: string;
  /** Seconds since 1970. */
  createdAt: string;
  egressInfo: object;
}

const EVENTS = {
  started: 'egress_started',
  active: 'egress_updated',
  ending: 'egress_updated',
  ended: 'egress_ended',
  delivered: 'egress_ended',
} as const;

export const toEgressEvent = (step: Step, job: StoredJob, progress: Progress, now: number): EgressEvent => ({
  event: EVENTS[step],
  id: `EV_${job.egressId}_${step}`,
  createdAt: String(Math.floor(now / 1000)),
  egressInfo: toEgressInfo(job, progress, now, step === 'ended' || step === 'delivered'),
});

/** @param isOver nothing more will follow, so the outcome may be reported */
export function toEgressInfo(job: StoredJob, progress: Progress, now: number, isOver: boolean) {
  const { acceptedAt, activeAt, endedAt, file, gaveUp } = progress;
  const outcome = gaveUp ? 'FAILED' : progress.outcome;
  const error = gaveUp?.reason ?? progress.error;
  const isDone = isOver && outcome !== undefined;
  const hasFile = isDone && file !== undefined && outcome !== 'FAILED' && outcome !== 'ABORTED';
  return {
    egressId: job.egressId,
    roomName: job.sid,
    status: `EGRESS_${isDone ? outcome : statusOf(progress)}`,
    startedAt: nanoseconds(activeAt ?? acceptedAt),
    updatedAt: nanoseconds(now),
    ...(isDone && endedAt !== undefined ? { endedAt: nanoseconds(endedAt) } : {}),
    ...(isDone && error !== undefined ? { error } : {}),
    roomComposite: { roomName: job.sid, layout: job.layout, fileOutputs: [{ filepath: job.objectKey }] },
    fileResults: hasFile ? [toFileResult(job, progress, file)] : [],
  };
}

const statusOf = ({ activeAt, endedAt }: Progress) => (endedAt !== undefined ? 'ENDING' : activeAt === undefined ? 'STARTING' : 'ACTIVE');

const toFileResult = (
  { objectKey }: StoredJob,
  { acceptedAt, activeAt = acceptedAt, endedAt = activeAt }: Progress,
  file: RecordingFile,
) => ({
  filename: objectKey,
  startedAt: nanoseconds(activeAt),
  endedAt: nanoseconds(endedAt),
  duration: nanoseconds(file.durationMs),
  size: String(file.size),
  location: objectKey,
});

const nanoseconds = (ms: number) => String(BigInt(Math.round(ms)) * 1_000_000n);

import type { CaptureJob, MergeJob } from '@classroom/contracts';

/** What the page authenticates itself with. It is not stored: only the page needs it. */
export type PageTokens = Pick<CaptureJob, 'token' | 'boardToken'>;
export type FilmJob = Omit<CaptureJob, keyof PageTokens>;
export type StoredJob = FilmJob | MergeJob;

export type Outcome = 'COMPLETE' | 'FAILED' | 'ABORTED' | 'LIMIT_REACHED';
export type Step = 'started' | 'active' | 'ending' | 'ended' | 'delivered';

/** The progress of a capture, as stored in its folder. Times in milliseconds since 1970. */
export interface Progress {
  acceptedAt: number;
  /** When the first frame was captured. */
  activeAt?: number;
  /** When filming ended: no frame is later. */
  endedAt?: number;
  /** Known once filming has ended. `error` is also set if a film was cut but is complete up to the cut. */
  outcome?: Outcome;
  error?: string;
  file?: RecordingFile;
  /** When the event of the end was stored. Unless `gaveUp` is set, only cleaning up is left to do. */
  saidEndAt?: number;
  /** The end is reported as a failure for now: the folder stays, and the next process that starts tries again. */
  gaveUp?: { at: number; reason: string } | undefined;
}

export interface RecordingFile {
  /** Duration of the file itself. */
  durationMs: number;
  /** Bytes. */
  size: number;
}

/** Why filming ended. */
export type End =
  | { cause: 'stopped' | 'the room was over' }
  | { cause: 'limit'; seconds: number }
  /** `reason` must fit after "the recording was cut:" and before "after 12 s". */
  | { cause: 'broken'; reason: string };

/**
 * The outcome of filming: everything that was requested, a part of it, or nothing.
 * @param endedAt milliseconds since 1970
 * @param awaited what had not happened yet, if nothing was filmed; must fit after "before"
 */
export function conclude(
  { activeAt }: Progress,
  end: End,
  endedAt: number,
  awaited = 'anything was captured',
): Pick<Progress, 'endedAt' | 'outcome' | 'error'> {
  if (activeAt === undefined) {
    if (end.cause === 'broken') return { endedAt, outcome: 'FAILED', error: end.reason };
    return { endedAt, outcome: 'ABORTED', error: `${end.cause} before ${awaited}` };
  }
  if (end.cause === 'limit') return { endedAt, outcome: 'LIMIT_REACHED', error: `a recording is at most ${end.seconds} s long` };
  if (end.cause !== 'broken') return { endedAt, outcome: 'COMPLETE' };
  const seconds = Math.max(Math.round((endedAt - activeAt) / 1000), 0);
  return { endedAt, outcome: 'COMPLETE', error: `the recording was cut: ${end.reason} after ${seconds} s` };
}

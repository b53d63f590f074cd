import type { CaptureJob } from '@classroom/contracts';

/** What is kept of a job: all but the token, which only the page needs. */
export type KeptJob = Omit<CaptureJob, 'token'>;

export type Outcome = 'COMPLETE' | 'FAILED' | 'ABORTED' | 'LIMIT_REACHED';
export type Step = 'started' | 'active' | 'ending' | 'ended' | 'delivered';

/** How far a capture has come, as its folder says it. Times in milliseconds since 1970. */
export interface Progress {
  acceptedAt: number;
  /** The first frame. */
  activeAt?: number;
  /** No frame after it. */
  endedAt?: number;
  /** Known once filming is over; `error` also where a cut film is complete as far as it goes. */
  outcome?: Outcome;
  error?: string;
  file?: FilmFile;
  /** Its end was said, so that nothing is left to do but to clean up. */
  saidEndAt?: number;
  /** Its end was said to be a failure for now: the folder stays, and whoever starts next tries again. */
  gaveUp?: { at: number; reason: string } | undefined;
}

export interface FilmFile {
  /** Milliseconds of the file itself. */
  durationMs: number;
  /** Bytes. */
  size: number;
}

/** Why filming ended. */
export type End =
  | { cause: 'stopped' | 'the room was over' }
  | { cause: 'limit'; seconds: number }
  /** In words that may stand after "the recording was cut:" and before "after 12 s". */
  | { cause: 'broken'; reason: string };

/** What filming came to: all that was wanted, as much as there is, or nothing. */
export function conclude({ activeAt }: Progress, end: End, endedAt: number): Pick<Progress, 'endedAt' | 'outcome' | 'error'> {
  if (activeAt === undefined) {
    if (end.cause === 'broken') return { endedAt, outcome: 'FAILED', error: end.reason };
    return { endedAt, outcome: 'ABORTED', error: `${end.cause} before anything was captured` };
  }
  if (end.cause === 'limit') return { endedAt, outcome: 'LIMIT_REACHED', error: `a recording is at most ${end.seconds} s long` };
  if (end.cause !== 'broken') return { endedAt, outcome: 'COMPLETE' };
  const seconds = Math.max(Math.round((endedAt - activeAt) / 1000), 0);
  return { endedAt, outcome: 'COMPLETE', error: `the recording was cut: ${end.reason} after ${seconds} s` };
}

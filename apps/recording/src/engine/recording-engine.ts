import type { EgressInfo, RecordingOptions } from '@classroom/contracts';

/** What an engine is asked to record. */
export interface EngineJob {
  /** Ours, known before the engine answers: in the file's path, so that what came late can be recognized. */
  recordingKey: string;
  sid: string;
  title: string;
  logoUrl: string | null;
  options: RecordingOptions;
  /** Where the file goes; ends in `.mp4`. */
  objectKey: string;
}

/**
 * Whoever captures a room. What becomes of a recording is told by egress events in LiveKit's form, by every engine alike.
 * Every call ends within its own time; one that gets no answer is SERVICE_UNAVAILABLE.
 */
export interface RecordingEngine {
  /** An id to begin with, where the engine lets us choose; else it is known from `start`. */
  newId(): string | undefined;
  /** @throws AppError RECORDER_BUSY where no recorder is free, SERVICE_UNAVAILABLE where none answered in time: it may start all the same */
  start(job: EngineJob, id: string | undefined): Promise<string>;
  /** Idempotent; what the engine does not know is stopped. @throws AppError SERVICE_UNAVAILABLE */
  stop(id: string): Promise<void>;
  /** Undefined where the engine has no such egress. @throws AppError SERVICE_UNAVAILABLE: that is no answer */
  describe(id: string): Promise<EgressInfo | undefined>;
  /** What was started for `job` although no answer came. @throws AppError SERVICE_UNAVAILABLE */
  find(job: Pick<EngineJob, 'sid' | 'objectKey'>, id: string | undefined): Promise<EgressInfo | undefined>;
  /** @throws where it can't be reached */
  ping(): Promise<void>;
}

export const RECORDING_ENGINE = Symbol('RecordingEngine');

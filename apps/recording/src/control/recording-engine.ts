import type { EgressInfo, RecordingOptions } from '@classroom/contracts';

/** What an engine should record. */
export interface EngineJob {
  /** Our key, known before the engine answers. It is in the file's path, so that a late file or egress can be assigned to its recording. */
  recordingKey: string;
  sid: string;
  title: string;
  /** Path of the logo at the gateway, for the recording page; empty if none is to be shown. */
  logoPath: string;
  options: RecordingOptions;
  /** Key of the file in the bucket; ends in `.mp4`. */
  objectKey: string;
}

/** What an engine should make one file of. */
export interface MergeJob extends EngineJob {
  /** Addresses of the files, in their order. */
  parts: string[];
  /** When the first part began and the last one ended. */
  startedAt: string;
  endedAt: string;
}

/**
 * Captures rooms. Every engine reports the progress of a recording by egress events in LiveKit's form. Every call has its own
 * timeout; a call without an answer throws SERVICE_UNAVAILABLE.
 */
export interface RecordingEngine {
  /** An id for the next recording, if the engine lets us choose it. Otherwise undefined, and `start` returns the id. */
  newId(): string | undefined;
  /**
   * @throws AppError RECORDER_BUSY if no recorder is free, SERVICE_UNAVAILABLE if none answered in time: the recording may
   * start nevertheless
   */
  start(job: EngineJob, id: string | undefined): Promise<string>;
  /** As `start`. @throws AppError NOTHING_TO_MERGE if the engine cannot merge */
  merge(job: MergeJob, id: string | undefined): Promise<string>;
  /** Idempotent; an egress that the engine does not know counts as stopped. @throws AppError SERVICE_UNAVAILABLE */
  stop(id: string): Promise<void>;
  /** Undefined if the engine has no such egress. @throws AppError SERVICE_UNAVAILABLE if the engine did not answer */
  describe(id: string): Promise<EgressInfo | undefined>;
  /** The egress that was started for `job` although no answer arrived; undefined if there is none. @throws AppError SERVICE_UNAVAILABLE */
  find(job: Pick<EngineJob, 'sid' | 'objectKey'>, id: string | undefined): Promise<EgressInfo | undefined>;
  /** @throws if the engine is unreachable */
  ping(): Promise<void>;
}

export const RECORDING_ENGINE = Symbol('RecordingEngine');

import type { RecordingEntity } from '../schema/recording.entity.js';
import { isMerged } from './recording-state.js';

/** When the recording became active; before that, when it was requested. */
export const startedAtOf = ({ activeAt, requestedAt }: Pick<RecordingEntity, 'activeAt' | 'requestedAt'>) => activeAt ?? requestedAt;

type Timed = Pick<RecordingEntity, 'duration' | 'activeAt' | 'endedAt' | 'mergedFrom'>;

/** Whole seconds: the file's duration if there is a file, otherwise from `activeAt` to the end or to now; 0 before it was active, and while files are merged. */
export function durationOf({ duration, activeAt, endedAt, mergedFrom }: Timed, now: Date): number {
  if (duration !== null) return duration;
  if (!activeAt || isMerged({ mergedFrom })) return 0;
  return Math.max(0, Math.round(((endedAt ?? now).getTime() - activeAt.getTime()) / 1000));
}

/** The later of two times. Null stays null: the class still runs. */
export const later = (due: Date | null, earliest: Date) => (due === null || due > earliest ? due : earliest);

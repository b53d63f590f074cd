import type { RecordingEntity } from '../schema/recording.entity.js';

/** When the recording became active; before that, when it was requested. */
export const startedAtOf = ({ activeAt, requestedAt }: Pick<RecordingEntity, 'activeAt' | 'requestedAt'>) => activeAt ?? requestedAt;

/** Whole seconds: the file's duration if there is a file, otherwise from `activeAt` to the end or to now; 0 before it was active. */
export function durationOf({ duration, activeAt, endedAt }: Pick<RecordingEntity, 'duration' | 'activeAt' | 'endedAt'>, now: Date): number {
  if (duration !== null) return duration;
  if (!activeAt) return 0;
  return Math.max(0, Math.round(((endedAt ?? now).getTime() - activeAt.getTime()) / 1000));
}

import type { RecordingEntity } from '../schema/recording.entity.js';

/** Once it was active, that is when it started. */
export const startedAtOf = ({ activeAt, requestedAt }: Pick<RecordingEntity, 'activeAt' | 'requestedAt'>) => activeAt ?? requestedAt;

/** Whole seconds: of the file where there is one, else from active to its end or to now. */
export function durationOf({ duration, activeAt, endedAt }: Pick<RecordingEntity, 'duration' | 'activeAt' | 'endedAt'>, now: Date): number {
  if (duration !== null) return duration;
  if (!activeAt) return 0;
  return Math.max(0, Math.round(((endedAt ?? now).getTime() - activeAt.getTime()) / 1000));
}

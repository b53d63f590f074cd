import { metrics } from '@opentelemetry/api';
import type { RecordingEntity } from '../schema/recording.entity.js';

const ended = metrics.getMeter('virtual-classroom').createCounter('classroom_recording_ended_total', {
  description: 'Recordings that came to an end, by status; cut: there is a file, and the engine says why it is not whole',
});

const ENDED_STATUSES: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED', 'ABORTED']);

/** Counts a recording that has ended. Callers call it only if the status has changed. */
export function countEnd({ status, reason }: Pick<RecordingEntity, 'status' | 'reason'>): void {
  if (ENDED_STATUSES.has(status)) ended.add(1, { status, cut: String(status === 'COMPLETED' && reason !== null) });
}

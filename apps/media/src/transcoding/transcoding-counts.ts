import { metrics } from '@opentelemetry/api';

const meter = metrics.getMeter('virtual-classroom');
const count = meter.createCounter('classroom_media_transcodings_total', { description: 'Attempts at videos, by how they ended' });
const seconds = meter.createHistogram('classroom_media_transcoding_seconds', {
  description: 'Attempts that made a video, from the first byte of its source to the last of its renditions',
  unit: 's',
  advice: { explicitBucketBoundaries: [5, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14_400] },
});

/**
 * `refused`: the source is at fault. `stopped`: this process shut down. `storage_away`: the storage was unreachable. `superseded`:
 * another attempt replaced it, or the video was deleted. `failed`: this machine is at fault.
 */
export type TranscodingEnd = 'completed' | 'refused' | 'stopped' | 'storage_away' | 'superseded' | 'failed';

/** @param startedAt start of the attempt, by performance.now() */
export function countTranscoding(outcome: TranscodingEnd, startedAt: number): void {
  count.add(1, { outcome });
  if (outcome === 'completed') seconds.record((performance.now() - startedAt) / 1000);
}

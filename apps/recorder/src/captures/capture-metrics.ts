import { metrics } from '@opentelemetry/api';
import { logger } from '@classroom/platform';
import type { CaptureFolder } from '../state/capture-folder.js';

const meter = metrics.getMeter('virtual-classroom');
const captures = meter.createCounter('classroom_recorder_captures_total', { description: 'Captures that ended, by outcome' });
const seconds = meter.createCounter('classroom_recorder_captured_seconds_total', { description: 'Film captured, by outcome' });
const frames = meter.createCounter('classroom_recorder_frames_total', {
  description: 'Frames drawn, and left out because their time was over',
});

/** Called once per capture, when filming has ended. */
export function recordCaptureMetrics(
  { job, progress }: CaptureFolder,
  { frames: drawn, skipped }: { frames: number; skipped: number },
): void {
  const { activeAt, endedAt, outcome = 'FAILED', error } = progress;
  const length = activeAt === undefined || endedAt === undefined ? 0 : (endedAt - activeAt) / 1000;
  captures.add(1, { outcome });
  seconds.add(length, { outcome });
  frames.add(drawn, { kind: 'drawn' });
  frames.add(skipped, { kind: 'skipped' });
  logger.info({ egressId: job.egressId, sid: job.sid, outcome, reason: error, seconds: length, frames: drawn, skipped }, 'capture ended');
}

import type { RecordingHealth } from '@classroom/contracts';
import type { RecordingEntity } from '../schema/recording.entity.js';

type Known = Pick<RecordingEntity, 'status' | 'missingSince' | 'engineIds' | 'reason' | 'limitReached'>;

/** What is wrong with a recording, as the watchdog and the engine's reports tell. */
export function healthOf({ status, missingSince, engineIds, reason, limitReached }: Known): RecordingHealth {
  if (status === 'FAILED') return 'FAILED';
  if (missingSince !== null) return 'STALLED';
  if (status === 'STARTING' && engineIds.length > 1) return 'RETRYING';
  if (limitReached) return 'LIMIT_REACHED';
  // An aborted recording was stopped before there was anything to cut.
  return reason !== null && status !== 'ABORTED' ? 'CUT' : 'OK';
}

import type { RecordingFact } from '@classroom/contracts';
import type { RecordingEntity } from '../schema/recording.entity.js';
import { healthOf } from './recording-health.js';
import { isMerged } from './recording-state.js';
import { startedAtOf } from './recording-times.js';

/** What is published of a recording with a public id. */
export const toFact = (recording: RecordingEntity): RecordingFact => ({
  organizationId: recording.organizationId,
  sid: recording.sid,
  roomId: recording.roomId,
  egressId: recording.egressId ?? '',
  status: recording.status,
  version: recording.version,
  startedAt: startedAtOf(recording).toISOString(),
  endedAt: recording.endedAt?.toISOString() ?? null,
  duration: recording.duration,
  reason: recording.reason,
  health: healthOf(recording),
  isMerged: isMerged(recording),
  isPaused: recording.pausedAt !== null,
});

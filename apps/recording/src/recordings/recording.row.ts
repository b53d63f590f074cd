import type { RecordingFact, RecordingOptions, RecordingStatus } from '@classroom/contracts';
import { tenantOf } from '@classroom/storage';

export type StoredStatus = RecordingStatus | 'REQUESTED' | 'REFUSED';

/** A row of `recordings`, as pg gives it under the names of `RECORDING_COLUMNS`. */
export interface RecordingRow {
  recordingKey: string;
  organizationId: string;
  sid: string;
  roomId: string;
  title: string;
  egressId: string | null;
  engineIds: string[];
  options: RecordingOptions;
  logoUrl: string | null;
  status: StoredStatus;
  version: number;
  requestedAt: Date;
  attemptedAt: Date;
  activeAt: Date | null;
  endedAt: Date | null;
  reason: string | null;
  objectKey: string | null;
  fileName: string | null;
  size: number | null;
  duration: number | null;
  completedAt: Date | null;
  classEndedAt: Date | null;
  missingSince: Date | null;
  finalizeTries: number;
  deleteAt: Date | null;
  deletedAt: Date | null;
  /** Of the request that asked for it. */
  trace: string | null;
}

export const RECORDING_COLUMNS = `
  recording_key AS "recordingKey", organization_id AS "organizationId", sid, room_id AS "roomId", title,
  egress_id AS "egressId", engine_ids AS "engineIds", options, logo_url AS "logoUrl", status, version::float8 AS version,
  requested_at AS "requestedAt", attempted_at AS "attemptedAt", active_at AS "activeAt", ended_at AS "endedAt", reason,
  object_key AS "objectKey", file_name AS "fileName", size::float8 AS size, duration, completed_at AS "completedAt",
  class_ended_at AS "classEndedAt", missing_since AS "missingSince", finalize_tries AS "finalizeTries",
  delete_at AS "deleteAt", deleted_at AS "deletedAt", trace`;

/** In place of an engine's id that is not known yet: the attempt counts from before it is asked for. */
export const NOT_YET = '';

export const ROOT = 'recordings/';

/**
 * Everything of one recording lies under this. The organization's id is a secret and download links are passed on, so a
 * hash stands for it.
 */
export function prefixOf({ organizationId, sid, recordingKey }: Pick<RecordingRow, 'organizationId' | 'sid' | 'recordingKey'>): string {
  return `${ROOT}${tenantOf(organizationId)}/${sid}/${recordingKey}/`;
}

/** The file of the n-th attempt: a late upload of an earlier one overwrites nothing. */
export const objectKeyOf = (recording: Pick<RecordingRow, 'organizationId' | 'sid' | 'recordingKey'>, attempt: number) =>
  `${prefixOf(recording)}${attempt}.mp4`;

/** The public id in lists. */
export const recordingIdOf = ({ egressId }: Pick<RecordingRow, 'egressId'>) => `rec_${egressId}`;

/** Once it was active, that is when it started. */
export const startedAtOf = ({ activeAt, requestedAt }: Pick<RecordingRow, 'activeAt' | 'requestedAt'>) => activeAt ?? requestedAt;

/** Whole seconds: of the file where there is one, else from active to its end or to now. */
export function durationOf(recording: RecordingRow, now: Date): number {
  if (recording.duration !== null) return recording.duration;
  if (!recording.activeAt) return 0;
  return Math.max(0, Math.round(((recording.endedAt ?? now).getTime() - recording.activeAt.getTime()) / 1000));
}

/** What the world is told of a recording that has a public id. */
export const toFact = (recording: RecordingRow): RecordingFact => ({
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
});

import type { RecordingFact, RecordingHealth } from '@classroom/contracts';
import { tenantOf } from '@classroom/storage';
import { metrics } from '@opentelemetry/api';
import type { RecordingEntity } from '../schema/recording.entity.js';

// What the row of a recording says of it.

/** How long a recording may be STARTING. After that the service checks it, and tries another recorder if it has not begun. */
export const STARTING_MS = 30_000;
/** Placeholder for an engine's id that is not known yet: the row of an attempt is written before the engine is called. */
export const PENDING_ENGINE_ID = '';
/** Follows the attempts of an erased recording: no report of an engine applies to it any more, and its late file is not accepted. */
export const ERASED_ENGINE_ID = 'erased';

/** The public id of a recording in lists. */
export const recordingIdOf = ({ egressId }: Pick<RecordingEntity, 'egressId'>) => `rec_${egressId}`;

/** The `egressId` of a public id; any other text is not the id of a recording. */
export const egressIdOf = (recordingId: string) => recordingId.replace(/^rec_/, '');

/** Made of other recordings after the class: the class's end does not stop it. */
export const isMerged = ({ mergedFrom }: Pick<RecordingEntity, 'mergedFrom'>) => mergedFrom.length > 0;

/** Whether it records the class. */
export const isRunning = ({ status, mergedFrom }: Pick<RecordingEntity, 'status' | 'mergedFrom'>) =>
  (status === 'STARTING' || status === 'ACTIVE') && !isMerged({ mergedFrom });

const ENDED_STATUSES = new Set<RecordingEntity['status']>(['COMPLETED', 'FAILED', 'ABORTED', 'REFUSED']);

/**
 * Whether its files are deleted next; nothing keeps them any longer. A recording that is still being finalized is not due: when it is completed,
 * its file is kept for at least an hour.
 */
export const isDue = ({ status, deleteAt, heldAt }: Pick<RecordingEntity, 'status' | 'deleteAt' | 'heldAt'>, now: Date) =>
  ENDED_STATUSES.has(status) && heldAt === null && deleteAt !== null && deleteAt <= now;

/** Whether its files are deleted, or are deleted next. */
export const isExpired = (recording: Pick<RecordingEntity, 'status' | 'deleteAt' | 'heldAt' | 'deletedAt'>, now: Date) =>
  recording.deletedAt !== null || isDue(recording, now);

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

const ended = metrics.getMeter('virtual-classroom').createCounter('classroom_recording_ended_total', {
  description: 'Recordings that came to an end, by status; cut: there is a file, and the engine says why it is not whole',
});

const COUNTED_STATUSES: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED', 'ABORTED']);

/** Counts a recording that has ended. Callers call it only if the status has changed. */
export function countEnd({ status, reason }: Pick<RecordingEntity, 'status' | 'reason'>): void {
  if (COUNTED_STATUSES.has(status)) ended.add(1, { status, cut: String(status === 'COMPLETED' && reason !== null) });
}

// The key, the type and the name of a recording's file.

type Owned = Pick<RecordingEntity, 'organizationId' | 'sid' | 'recordingKey'>;

export const ROOT = 'recordings/';

/**
 * Prefix of all objects of one recording. The organization's id is a secret and download links are passed on, so the prefix
 * contains a hash of it.
 */
export function prefixOf({ organizationId, sid, recordingKey }: Owned): string {
  return `${ROOT}${tenantOf(organizationId)}/${sid}/${recordingKey}/`;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The recording's key in the key of an object; undefined if the object was not stored for a recording, although it lies in `ROOT`. */
export function recordingKeyIn(objectKey: string): string | undefined {
  const key = objectKey.split('/')[3] ?? '';
  return UUID.test(key) ? key : undefined;
}

/** The file of attempt number `attempt`, from 1. A late upload of an earlier attempt overwrites nothing. */
export const objectKeyOf = (recording: Owned, attempt: number) => `${prefixOf(recording)}${attempt}.mp4`;

interface MediaType {
  extension: string;
  contentType: string;
}

const FILM: MediaType = { extension: 'mp4', contentType: 'video/mp4' };
const SOUND: MediaType = { extension: 'm4a', contentType: 'audio/mp4' };

/** Whether the recording has sound only. */
export const isAudioOnly = ({ options }: Pick<RecordingEntity, 'options'>): boolean => options.audioOnly ?? false;

/** Of the file as people get it. Its object's key ends in `.mp4` in any case, because LiveKit Egress appends that to any other. */
export const mediaTypeOf = (recording: Pick<RecordingEntity, 'options'>): MediaType => (isAudioOnly(recording) ? SOUND : FILM);

const MAX_CHARACTERS = 80;

/** The name under which a browser saves the file: `Algebra I 2026-09-01 10-30.mp4`, in UTC, without characters that file systems reject. */
export function fileNameOf(recording: Pick<RecordingEntity, 'title' | 'activeAt' | 'requestedAt' | 'options'>): string {
  const title = [
    ...recording.title
      .replaceAll(/[\p{Cc}<>:"/\\|?*]/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  ]
    .slice(0, MAX_CHARACTERS)
    .join('')
    .replace(/^[.\s]+/, '')
    .replace(/(?<![.\s])[.\s]+$/, '');
  const at = startedAtOf(recording).toISOString();
  return `${title || 'Recording'} ${at.slice(0, 10)} ${at.slice(11, 16).replace(':', '-')}.${mediaTypeOf(recording).extension}`;
}

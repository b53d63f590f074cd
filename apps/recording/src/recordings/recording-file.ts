import { tenantOf } from '@classroom/storage';
import type { RecordingEntity } from '../schema/recording.entity.js';
import { startedAtOf } from './recording.js';

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

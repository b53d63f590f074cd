import { tenantOf } from '@classroom/storage';
import type { RecordingEntity } from '../schema/recording.entity.js';

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

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

/** The file of attempt number `attempt`, from 1. A late upload of an earlier attempt overwrites nothing. */
export const objectKeyOf = (recording: Owned, attempt: number) => `${prefixOf(recording)}${attempt}.mp4`;

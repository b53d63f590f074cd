import { tenantOf } from '@classroom/storage';
import type { RecordingEntity } from '../schema/recording.entity.js';

type Owned = Pick<RecordingEntity, 'organizationId' | 'sid' | 'recordingKey'>;

export const ROOT = 'recordings/';

/**
 * Everything of one recording lies under this. The organization's id is a secret and download links are passed on, so a
 * hash stands for it.
 */
export function prefixOf({ organizationId, sid, recordingKey }: Owned): string {
  return `${ROOT}${tenantOf(organizationId)}/${sid}/${recordingKey}/`;
}

/** The file of the n-th attempt: a late upload of an earlier one overwrites nothing. */
export const objectKeyOf = (recording: Owned, attempt: number) => `${prefixOf(recording)}${attempt}.mp4`;

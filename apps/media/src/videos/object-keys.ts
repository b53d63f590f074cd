import { tenantOf } from '@classroom/storage';
import type { VideoEntity } from '../schema/video.entity.js';

const ROOT = 'videos/';

type Owned = Pick<VideoEntity, 'organizationId' | 'videoId'>;

/** Everything of one video lies under this; a hash stands for the organization, whose id is a secret. */
export function prefixOf({ organizationId, videoId }: Owned): string {
  return `${ROOT}${tenantOf(organizationId)}/${videoId}/`;
}

export const sourceKeyOf = (video: Owned) => `${prefixOf(video)}source`;
/** What one attempt of the transcoder wrote: an interrupted one mixes with no other. */
export const attemptPrefixOf = (video: Owned, attempt: number) => `${prefixOf(video)}${attempt}/`;
export const captionKeyOf = (video: Owned, language: string) => `${prefixOf(video)}captions/${language.toLowerCase()}.vtt`;

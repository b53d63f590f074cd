import { tenantOf } from '@classroom/storage';
import type { VideoEntity } from '../schema/video.entity.js';

const ROOT = 'videos/';

type Owned = Pick<VideoEntity, 'organizationId' | 'videoId'>;

/** Prefix of everything of one video. It contains a hash of the organization's id, because the id is a secret. */
export function prefixOf({ organizationId, videoId }: Owned): string {
  return `${ROOT}${tenantOf(organizationId)}/${videoId}/`;
}

export const sourceKeyOf = (video: Owned) => `${prefixOf(video)}source`;
/** Output of one attempt: that of an interrupted attempt does not mix with any other. */
export const attemptPrefixOf = (video: Owned, attempt: number) => `${prefixOf(video)}${attempt}/`;
export const captionKeyOf = (video: Owned, language: string) => `${prefixOf(video)}captions/${language.toLowerCase()}.vtt`;

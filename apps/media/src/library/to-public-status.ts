import type { VideoStatus } from '@classroom/contracts';
import type { VideoEntity } from '../schema/video.entity.js';

/** What the API calls it. */
export const toPublicStatus = ({ status }: Pick<VideoEntity, 'status'>): VideoStatus => (status === 'uploading' ? 'pending' : status);

import type { VideoStatus } from '@classroom/contracts';
import type { VideoEntity } from '../schema/video.entity.js';

/** The status as the API shows it. */
export const toPublicStatus = ({ status }: Pick<VideoEntity, 'status'>): VideoStatus => (status === 'uploading' ? 'pending' : status);

import type { VideoStatus } from '@classroom/contracts';
import { tenantOf } from '@classroom/storage';

export interface Rendition {
  /** Of the picture; 0 for sound alone. */
  width: number;
  height: number;
  /** Bits a second, at most, of picture and sound. */
  bandwidth: number;
  codecs: string;
  /** The variant's playlist, below the attempt's prefix. */
  playlist: string;
}

/** What a finished attempt left. Paths are below `attemptPrefix`. */
export interface TranscodingResult {
  type: 'hls' | 'mp4';
  /** `master.m3u8` or the single file. */
  entry: string;
  /** Seconds of the source. */
  duration: number;
  hasVideo: boolean;
  hasAudio: boolean;
  renditions: Rendition[];
  poster: string | null;
}

/** A row of `videos`, as pg gives it under the names of `VIDEO_COLUMNS`. */
export interface VideoRow {
  videoId: string;
  organizationId: string;
  title: string;
  fileName: string;
  contentType: string;
  playback: 'hls' | 'mp4';
  size: number;
  status: 'uploading' | VideoStatus;
  progress: number;
  message: string | null;
  uploadId: string | null;
  uploadExpiresAt: Date | null;
  recordingId: string | null;
  attempt: number;
  attemptedAt: Date | null;
  result: TranscodingResult | null;
  duration: number | null;
  createdAt: Date;
  completedAt: Date | null;
  deletedAt: Date | null;
}

export const VIDEO_COLUMNS = `
  video_id AS "videoId", organization_id AS "organizationId", title, file_name AS "fileName", content_type AS "contentType",
  playback, size::float8 AS size, status, progress, message, upload_id AS "uploadId",
  upload_expires_at AS "uploadExpiresAt", recording_id AS "recordingId", attempt, attempted_at AS "attemptedAt", result,
  duration, created_at AS "createdAt", completed_at AS "completedAt", deleted_at AS "deletedAt"`;

export const ROOT = 'videos/';

type Owned = Pick<VideoRow, 'organizationId' | 'videoId'>;

/** Everything of one video lies under this; a hash stands for the organization, whose id is a secret. */
export function prefixOf({ organizationId, videoId }: Owned): string {
  return `${ROOT}${tenantOf(organizationId)}/${videoId}/`;
}

export const sourceKeyOf = (video: Owned) => `${prefixOf(video)}source`;
/** What one attempt of the transcoder wrote: an interrupted one mixes with no other. */
export const attemptPrefixOf = (video: Owned, attempt: number) => `${prefixOf(video)}${attempt}/`;
export const captionKeyOf = (video: Owned, language: string) => `${prefixOf(video)}captions/${language.toLowerCase()}.vtt`;

/** What the public calls it. */
export const statusOf = ({ status }: Pick<VideoRow, 'status'>): VideoStatus => (status === 'uploading' ? 'pending' : status);

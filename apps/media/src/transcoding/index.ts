import type { Provider } from '@nestjs/common';
import type { MediaConfig } from '../config.js';
import { DueVideos } from './due-videos.js';
import { TranscodeVideo } from './transcode-video.js';
import { TranscodingGauges } from './transcoding-gauges.js';
import { TranscodingJobs } from './transcoding.jobs.js';
import { TranscodingTools } from './transcoding-tools.js';
import { WorkFolders } from './work-folders.js';

export { TRANSCODING_QUEUE } from './transcoding-queue.js';

/** Needs VideosRepository, ObjectStorage and the queue beside it. */
export const transcodingProviders = (config: MediaConfig): Provider[] =>
  config.ROLES.includes('worker') ? [TranscodingTools, WorkFolders, TranscodeVideo, DueVideos, TranscodingJobs, TranscodingGauges] : [];

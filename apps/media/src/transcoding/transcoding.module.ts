import { Module } from '@nestjs/common';
import { QuotasModule } from '../quotas/quotas.module.js';
import { VideosModule } from '../videos/videos.module.js';
import { DueVideos } from './due-videos.js';
import { TranscodeVideo } from './transcode-video.js';
import { TranscodingGauges } from './transcoding-gauges.js';
import { TranscodingTools } from './transcoding-tools.js';
import { WaitingVideosRepository } from './waiting-videos.repository.js';
import { WorkFolders } from './work-folders.js';

/** Only for the role `worker`. */
@Module({
  imports: [QuotasModule, VideosModule],
  providers: [DueVideos, TranscodeVideo, TranscodingGauges, TranscodingTools, WaitingVideosRepository, WorkFolders],
})
export class TranscodingModule {}

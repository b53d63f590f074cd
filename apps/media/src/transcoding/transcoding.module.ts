import { Module } from '@nestjs/common';
import { LibraryModule } from '../library/library.module.js';
import { DueVideos, TranscodingGauges } from './due-videos.js';
import { TranscodeVideo } from './transcode-video.js';
import { TranscodingTools } from './transcoding-tools.js';
import { WaitingVideosRepository } from './waiting-videos.repository.js';
import { WorkFolders } from './work-folders.js';

/** Only for the role `worker`. */
@Module({
  imports: [LibraryModule],
  providers: [DueVideos, TranscodeVideo, TranscodingGauges, TranscodingTools, WaitingVideosRepository, WorkFolders],
  exports: [TranscodingTools, WorkFolders],
})
export class TranscodingModule {}

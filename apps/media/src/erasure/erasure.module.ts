import { Module } from '@nestjs/common';
import { VideosModule } from '../videos/videos.module.js';
import { EraseVideos } from './erase-videos.js';

@Module({
  imports: [VideosModule],
  providers: [EraseVideos],
  exports: [EraseVideos],
})
export class ErasureModule {}

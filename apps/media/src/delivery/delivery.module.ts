import { Module } from '@nestjs/common';
import { CaptionsModule } from '../captions/captions.module.js';
import { VideosModule } from '../videos/videos.module.js';
import { PlayableVideos } from './playable-videos.js';
import { PlaybackUrls } from './playback-urls.js';
import { StoredFiles } from './stored-files.js';

@Module({
  imports: [CaptionsModule, VideosModule],
  providers: [PlayableVideos, PlaybackUrls, StoredFiles],
  exports: [PlayableVideos, PlaybackUrls, StoredFiles],
})
export class DeliveryModule {}

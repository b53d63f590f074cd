import { Module } from '@nestjs/common';
import { VideosModule } from '../videos/videos.module.js';
import { LibrariesRepository } from './libraries.repository.js';
import { VideoQuotas } from './video-quotas.js';

@Module({
  imports: [VideosModule],
  providers: [LibrariesRepository, VideoQuotas],
  exports: [VideoQuotas],
})
export class QuotasModule {}

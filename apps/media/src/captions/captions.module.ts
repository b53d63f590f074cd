import { Module } from '@nestjs/common';
import { QuotasModule } from '../quotas/quotas.module.js';
import { VideosModule } from '../videos/videos.module.js';
import { AddCaption } from './add-caption.js';
import { CaptionsRepository } from './captions.repository.js';

@Module({
  imports: [QuotasModule, VideosModule],
  providers: [AddCaption, CaptionsRepository],
  exports: [CaptionsRepository],
})
export class CaptionsModule {}

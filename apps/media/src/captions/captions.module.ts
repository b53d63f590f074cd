import { Module } from '@nestjs/common';
import { VideosModule } from '../videos/videos.module.js';
import { AddCaption } from './add-caption.js';
import { CaptionsRepository } from './captions.repository.js';

@Module({
  imports: [VideosModule],
  providers: [AddCaption, CaptionsRepository],
  exports: [CaptionsRepository],
})
export class CaptionsModule {}

import { Module } from '@nestjs/common';
import { AllowedOrigins } from '@classroom/http';
import { LimitsModule } from '../limits/limits.module.js';
import { ClassroomCors } from './cors.js';
import { Drain } from './drain.js';
import { ReplyCache } from './reply-cache.js';

@Module({
  imports: [LimitsModule],
  providers: [AllowedOrigins, ClassroomCors, Drain, ReplyCache],
  exports: [ClassroomCors, Drain, ReplyCache],
})
export class HttpModule {}

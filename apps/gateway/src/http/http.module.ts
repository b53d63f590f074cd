import { Module } from '@nestjs/common';
import { AllowedOrigins } from '@classroom/http';
import { LimitsModule } from '../limits/limits.module.js';
import { ClassroomCors } from './cors.js';
import { Drain } from './drain.js';
import { LargeBodies } from './large-bodies.js';
import { ReplyCache } from './reply-cache.js';

@Module({
  imports: [LimitsModule],
  providers: [AllowedOrigins, ClassroomCors, Drain, LargeBodies, ReplyCache],
  exports: [ClassroomCors, Drain, LargeBodies, ReplyCache],
})
export class HttpModule {}

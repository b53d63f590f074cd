import { Module } from '@nestjs/common';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { PicturesModule } from '../pictures/pictures.module.js';
import { ClassroomController } from './classroom.controller.js';
import { JoinHookCheck } from './join-hook-check.js';
import { PageController } from './page.controller.js';

@Module({
  imports: [AuthenticationModule, LimitsModule, PicturesModule],
  controllers: [ClassroomController, PageController],
  providers: [JoinHookCheck],
})
export class ClassroomModule {}

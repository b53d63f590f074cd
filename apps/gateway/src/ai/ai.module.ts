import { Module } from '@nestjs/common';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { AgentController } from './agent.controller.js';
import { AnswerStream } from './answer-stream.js';
import { ClassroomTutorController } from './classroom-tutor.controller.js';
import { InputUploads } from './input-uploads.js';
import { TutorController } from './tutor.controller.js';

@Module({
  imports: [AuthenticationModule, LimitsModule],
  controllers: [AgentController, ClassroomTutorController, TutorController],
  providers: [AnswerStream, InputUploads],
})
export class AiModule {}

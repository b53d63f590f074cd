import { Module } from '@nestjs/common';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { RecordingsController } from './recordings.controller.js';

@Module({ imports: [AuthenticationModule], controllers: [RecordingsController] })
export class RecordingsModule {}

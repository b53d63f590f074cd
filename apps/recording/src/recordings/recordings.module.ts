import { Module } from '@nestjs/common';
import { Notices } from './notices.js';
import { RecordingsRepository } from './recordings.repository.js';

@Module({
  providers: [Notices, RecordingsRepository],
  exports: [Notices, RecordingsRepository],
})
export class RecordingsModule {}

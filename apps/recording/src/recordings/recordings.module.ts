import { Module } from '@nestjs/common';
import { RoomStatusNotifier } from './room-status-notifier.js';
import { RecordingsRepository } from './recordings.repository.js';

@Module({
  providers: [RoomStatusNotifier, RecordingsRepository],
  exports: [RoomStatusNotifier, RecordingsRepository],
})
export class RecordingsModule {}

import { Module } from '@nestjs/common';
import { HistoryRepository } from './history.repository.js';
import { ListEvents } from './list-events.js';

@Module({
  providers: [HistoryRepository, ListEvents],
  exports: [HistoryRepository],
})
export class HistoryModule {}

import { Module } from '@nestjs/common';
import { HistoryModule } from '../history/history.module.js';
import { OutgoingModule } from '../outgoing/outgoing.module.js';
import { Announcer } from './announcer.js';
import { RecordFact } from './record-fact.js';

@Module({
  imports: [HistoryModule, OutgoingModule],
  providers: [Announcer, RecordFact],
  exports: [Announcer],
})
export class EventsModule {}

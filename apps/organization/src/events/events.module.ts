import { Module } from '@nestjs/common';
import { HistoryModule } from '../history/history.module.js';
import { OutgoingModule } from '../outgoing/outgoing.module.js';
import { PublicEventPublisher } from './public-event-publisher.js';
import { RecordFacts } from './record-facts.js';

@Module({
  imports: [HistoryModule, OutgoingModule],
  providers: [PublicEventPublisher, RecordFacts],
  exports: [PublicEventPublisher],
})
export class EventsModule {}

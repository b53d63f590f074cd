import { Module } from '@nestjs/common';
import { HistoryModule } from '../history/history.module.js';
import { OutgoingModule } from '../outgoing/outgoing.module.js';
import { Announcer } from './announcer.js';
import { EventsRpc } from './events.rpc.js';
import { FactsEvents } from './facts.events.js';
import { RecordFact } from './record-fact.js';

@Module({
  imports: [HistoryModule, OutgoingModule],
  controllers: [EventsRpc],
  providers: [Announcer, FactsEvents, RecordFact],
  exports: [Announcer],
})
export class EventsModule {}

import { Module } from '@nestjs/common';
import { EgressEventPublisher } from './egress-event-publisher.js';

@Module({
  providers: [EgressEventPublisher],
  exports: [EgressEventPublisher],
})
export class EventsModule {}

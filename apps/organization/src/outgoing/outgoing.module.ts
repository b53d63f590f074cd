import { Module } from '@nestjs/common';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DueSignal } from './due-signal.js';
import { FanOut } from './fan-out.js';

@Module({
  providers: [DeliveriesRepository, DueSignal, FanOut],
  exports: [DeliveriesRepository, DueSignal, FanOut],
})
export class OutgoingModule {}

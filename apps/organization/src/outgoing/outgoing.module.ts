import { Module } from '@nestjs/common';
import { EndpointsModule } from '../endpoints/endpoints.module.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryListRepository } from './delivery-list.repository.js';
import { DueSignal } from './due-signal.js';
import { FanOut } from './fan-out.js';

@Module({
  imports: [EndpointsModule],
  providers: [DeliveriesRepository, DeliveryListRepository, DueSignal, FanOut],
  exports: [DeliveriesRepository, DeliveryListRepository, DueSignal, FanOut],
})
export class OutgoingModule {}

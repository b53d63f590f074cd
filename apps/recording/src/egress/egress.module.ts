import { Module } from '@nestjs/common';
import { AutomaticModule } from '../automatic/automatic.module.js';
import { EngineModule } from '../engine/engine.module.js';
import { RecordingsModule } from '../recordings/recordings.module.js';
import { ApplyEgress } from './apply-egress.js';
import { EgressConsumer } from './egress.consumer.js';

@Module({
  imports: [AutomaticModule, EngineModule, RecordingsModule],
  providers: [ApplyEgress, EgressConsumer],
  exports: [ApplyEgress],
})
export class EgressModule {}

import { Module } from '@nestjs/common';
import { ControlModule } from '../control/control.module.js';
import { RecordingsModule } from '../recordings/recordings.module.js';
import { RetentionModule } from '../retention/retention.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { ApplyClassEnd } from './apply-class-end.js';
import { RoomsConsumer } from './rooms.consumer.js';

@Module({
  imports: [ControlModule, RecordingsModule, RetentionModule, RoomsModule],
  providers: [ApplyClassEnd, RoomsConsumer],
  exports: [ApplyClassEnd],
})
export class ClassEndModule {}

import { Module } from '@nestjs/common';
import { ControlModule } from '../control/control.module.js';
import { RecordingsModule } from '../recordings/recordings.module.js';
import { RetentionModule } from '../retention/retention.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { ClassEnd } from './class-end.js';
import { RoomsConsumer } from './rooms.consumer.js';

@Module({
  imports: [ControlModule, RecordingsModule, RetentionModule, RoomsModule],
  providers: [ClassEnd, RoomsConsumer],
  exports: [ClassEnd],
})
export class ClassEndModule {}

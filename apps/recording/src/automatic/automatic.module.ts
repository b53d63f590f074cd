import { Module } from '@nestjs/common';
import { ControlModule } from '../control/control.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { AutoRecorder } from './auto-recorder.js';

@Module({
  imports: [ControlModule, RoomsModule],
  providers: [AutoRecorder],
  exports: [AutoRecorder],
})
export class AutomaticModule {}

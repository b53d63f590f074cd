import { Module } from '@nestjs/common';
import { ControlModule } from '../control/control.module.js';
import { EgressModule } from '../egress/egress.module.js';
import { EngineModule } from '../engine/engine.module.js';
import { RecordingsModule } from '../recordings/recordings.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { RecordingWatchdog } from './recording-watchdog.js';

@Module({
  imports: [ControlModule, EgressModule, EngineModule, RecordingsModule, RoomsModule],
  providers: [RecordingWatchdog],
})
export class WatchdogModule {}

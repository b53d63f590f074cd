import { Module } from '@nestjs/common';
import { ControlModule } from '../control/control.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { AutoRecord } from './auto-record.js';

@Module({
  imports: [ControlModule, RoomsModule],
  providers: [AutoRecord],
  exports: [AutoRecord],
})
export class AutomaticModule {}

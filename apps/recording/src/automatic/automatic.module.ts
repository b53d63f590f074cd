import { Module } from '@nestjs/common';
import { ControlModule } from '../control/control.module.js';
import { AutoRecord } from './auto-record.js';

@Module({
  imports: [ControlModule],
  providers: [AutoRecord],
  exports: [AutoRecord],
})
export class AutomaticModule {}

import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { EncodingModule } from '../encoding/encoding.module.js';
import { ToolsModule } from '../tools/tools.module.js';
import { CaptureSupervisor } from './capture-supervisor.js';
import { Completion } from './completion.js';
import { Slots } from './slots.js';

@Module({
  imports: [EventsModule, EncodingModule, ToolsModule],
  providers: [CaptureSupervisor, Completion, Slots],
})
export class CapturesModule {}

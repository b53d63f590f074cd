import { Module } from '@nestjs/common';
import { LiveKitClock } from './livekit-clock.js';
import { LiveKitRooms } from './livekit-rooms.js';

@Module({
  providers: [LiveKitClock, LiveKitRooms],
  exports: [LiveKitClock, LiveKitRooms],
})
export class LiveKitModule {}

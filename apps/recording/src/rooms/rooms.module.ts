import { Module } from '@nestjs/common';
import { RoomCopies } from './room-copies.js';

@Module({
  providers: [RoomCopies],
  exports: [RoomCopies],
})
export class RoomsModule {}

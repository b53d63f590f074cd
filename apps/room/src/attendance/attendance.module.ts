import { Module } from '@nestjs/common';
import { PresenceModule } from '../presence/presence.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { RosterModule } from '../roster/roster.module.js';
import { AttendanceBasis } from './attendance-basis.js';
import { EvaluateAttendance } from './evaluate-attendance.js';

@Module({
  imports: [PresenceModule, RoomsModule, RosterModule],
  providers: [AttendanceBasis, EvaluateAttendance],
  exports: [EvaluateAttendance],
})
export class AttendanceModule {}

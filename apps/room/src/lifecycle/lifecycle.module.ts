import { Module } from '@nestjs/common';
import { AdmissionModule } from '../admission/admission.module.js';
import { AttendanceModule } from '../attendance/attendance.module.js';
import { EngagementModule } from '../engagement/engagement.module.js';
import { InteractionModule } from '../interaction/interaction.module.js';
import { LiveKitModule } from '../livekit/livekit.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { PresenceModule } from '../presence/presence.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { AdvanceSchedule } from './advance-schedule.js';
import { ApplyBudget } from './apply-budget.js';
import { DueRoomsRepository } from './due-rooms.repository.js';
import { EndClass } from './end-class.js';
import { EndClasses } from './end-classes.js';
import { EndRoom } from './end-room.js';
import { FinishDueRoom } from './finish-due-room.js';
import { FinishRoom } from './finish-room.js';
import { MediaRoomsRepository } from './media-rooms.repository.js';
import { LiveKitRoomReconciler } from './livekit-room-reconciler.js';
import { PublishEngagement } from './publish-engagement.js';
import { ReleaseIdleRoom } from './release-idle-room.js';
import { RoomSweep } from './room-sweep.js';

@Module({
  imports: [
    AdmissionModule,
    AttendanceModule,
    EngagementModule,
    InteractionModule,
    LiveKitModule,
    ParticipantsModule,
    PresenceModule,
    RoomsModule,
  ],
  providers: [
    AdvanceSchedule,
    ApplyBudget,
    DueRoomsRepository,
    EndClass,
    EndClasses,
    EndRoom,
    FinishDueRoom,
    FinishRoom,
    LiveKitRoomReconciler,
    MediaRoomsRepository,
    PublishEngagement,
    ReleaseIdleRoom,
    RoomSweep,
  ],
  exports: [AdvanceSchedule, EndRoom, FinishDueRoom],
})
export class LifecycleModule {}

import { Module } from '@nestjs/common';
import { LiveKitModule } from '../livekit/livekit.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { ApplyLists } from './apply-lists.js';
import { ApplyWebhooks } from './apply-webhooks.js';
import { AttendanceRepository } from './attendance.repository.js';
import { CommitPresence } from './commit-presence.js';
import { ConnectionsRepository } from './connections.repository.js';
import { ListConnections } from './list-connections.js';
import { ReconcileRoom } from './reconcile-room.js';
import { PresenceReconciler } from './presence-reconciler.js';

@Module({
  imports: [LiveKitModule, ParticipantsModule, RoomsModule],
  providers: [
    ApplyLists,
    ApplyWebhooks,
    AttendanceRepository,
    CommitPresence,
    ConnectionsRepository,
    ListConnections,
    ReconcileRoom,
    PresenceReconciler,
  ],
  exports: [AttendanceRepository, CommitPresence, ConnectionsRepository, ReconcileRoom],
})
export class PresenceModule {}

import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { ActingParticipant } from '../classroom/acting-participant.js';
import { Authenticate } from '../classroom/authenticate.js';
import { Authorize } from '../classroom/authorize.js';
import { ClassroomRpc } from '../classroom/classroom.rpc.js';
import { EndClass } from '../classroom/end-class.js';
import { ChangeRoom } from '../classroom/change-room.js';
import { OpenSession } from '../classroom/open-session.js';
import { ParticipantsRepository } from '../classroom/participants.repository.js';
import { SessionAddresses } from '../classroom/session-addresses.js';
import type { RoomConfig } from '../config.js';
import { Chat } from '../interaction/chat.js';
import { ChatRepository } from '../interaction/chat.repository.js';
import { ClassAnnouncer } from '../interaction/class-announcer.js';
import { ClassChanges } from '../interaction/class-changes.js';
import { ClassStates } from '../interaction/class-states.js';
import { Hands } from '../interaction/hands.js';
import { InteractionRpc } from '../interaction/interaction.rpc.js';
import { OwnClassState } from '../interaction/own-class-state.js';
import { Polls } from '../interaction/polls.js';
import { PollsRepository } from '../interaction/polls.repository.js';
import { Reactions } from '../interaction/reactions.js';
import { Capacity } from '../joining/capacity.js';
import { IssueJoinToken } from '../joining/issue-join-token.js';
import { JoinRoom } from '../joining/join-room.js';
import { Leases } from '../livekit/leases.js';
import { LiveKitClock } from '../livekit/livekit-clock.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { MediaWatch } from '../livekit/media-watch.js';
import { Mute } from '../moderation/mute.js';
import { ChangeRole } from '../moderation/change-role.js';
import { Rights } from '../moderation/rights.js';
import { Removals } from '../moderation/removals.js';
import { RemoveParticipant } from '../moderation/remove-participant.js';
import { Speaking } from '../moderation/speaking.js';
import { ApplyWebhook } from '../presence/apply-webhook.js';
import { CommitPresence } from '../presence/commit-presence.js';
import { ConnectionsRepository } from '../presence/connections.repository.js';
import { LiveKitEvents } from '../presence/livekit.events.js';
import { ReconcileRoom } from '../presence/reconcile-room.js';
import { Reconciler } from '../presence/reconciler.js';
import { RecordingEvents } from '../recording/recording.events.js';
import { RoomRecordings } from '../recording/room-recordings.js';
import { FinishDueRoom } from '../sweeps/finish-due-room.js';
import { ParkRoom } from '../sweeps/park-room.js';
import { ROOM_SWEEP_QUEUE, RoomDeadlines } from '../sweeps/room-deadlines.js';
import { RoomSweep } from '../sweeps/room-sweep.js';
import { RoomSweepJobs } from '../sweeps/room-sweep.jobs.js';
import { BackendRpc } from './backend.rpc.js';
import { CreateRoom } from './create-room.js';
import { EndRoom } from './end-room.js';
import { FinishRoom } from './finish-room.js';
import { RoomGauges } from './room-gauges.js';
import { RoomsRepository } from './rooms.repository.js';
import { RoomsRpc } from './rooms.rpc.js';
import { StandingEvents } from '../standing/standing.events.js';
import { Standings } from '../standing/standings.js';
import { ListParticipants } from './list-participants.js';
import { ListRooms } from './list-rooms.js';
import { RoomListRepository } from './room-list.repository.js';
import { SummarizeRoom } from './summarize-room.js';

const useCases: Provider[] = [CreateRoom, ListRooms, ListParticipants, SummarizeRoom, Standings, JoinRoom, EndRoom, FinishRoom, IssueJoinToken, Capacity, RoomGauges];
const classroom: Provider[] = [ActingParticipant, Authenticate, Authorize, EndClass, OpenSession, ParticipantsRepository, SessionAddresses, ChangeRoom];
const moderation: Provider[] = [RemoveParticipant, Removals, Mute, Speaking, Rights, ChangeRole];
const interaction: Provider[] = [
  Chat,
  ChatRepository,
  ClassAnnouncer,
  ClassChanges,
  ClassStates,
  Hands,
  OwnClassState,
  Polls,
  PollsRepository,
  Reactions,
];
const presence: Provider[] = [ApplyWebhook, CommitPresence, ConnectionsRepository, LiveKitEvents, ReconcileRoom, Reconciler, StandingEvents, RecordingEvents, RoomRecordings];
const media: Provider[] = [LiveKitRooms, LiveKitClock, MediaWatch, Leases];
const sweeps: Provider[] = [RoomDeadlines, RoomSweep, FinishDueRoom, ParkRoom];

@Module({})
export class RoomsModule {
  static forRoot(config: RoomConfig): DynamicModule {
    return {
      module: RoomsModule,
      imports: [BullModule.registerQueue({ name: ROOM_SWEEP_QUEUE })],
      controllers: [RoomsRpc, BackendRpc, ClassroomRpc, InteractionRpc],
      providers: [
        RoomsRepository,
        RoomListRepository,
        ...useCases,
        ...classroom,
        ...moderation,
        ...interaction,
        ...presence,
        ...media,
        ...sweeps,
        // A process without the worker's role takes no jobs.
        ...(config.ROLES.includes('worker') ? [RoomSweepJobs] : []),
      ],
    };
  }
}

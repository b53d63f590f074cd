import { Module, type DynamicModule } from '@nestjs/common';
import { CONSUMERS } from '@classroom/contracts';
import { CreditStatusModule, MessagingModule, RetentionSweepModule } from '@classroom/messaging';
import { PersistenceModule } from '@classroom/persistence';
import { PlatformModule } from '@classroom/platform';
import { BoardFlood } from './board/board-flood.js';
import { BoardBroadcaster, BoardStates } from './board/board-states.js';
import { Board } from './board/board.js';
import { BoardRepository } from './board/board.repository.js';
import { ExportBoard } from './board/export-board.js';
import { FilmBoard } from './board/film-board.js';
import { Authenticate, Authorize } from './admission/authenticate.js';
import { CreateRoom, ResumeCreations } from './admission/create-room.js';
import { DecideAdmission, EnterWaitingRoom, GetAdmission, ListWaiting } from './admission/waiting-room.js';
import { Capacity, DuplicateJoins, IssueJoinToken, JoinRoom } from './admission/join-room.js';
import { OpenSession } from './admission/open-session.js';
import type { RoomConfig } from './config.js';
import { Chat, ExportChat, ListRoomChat } from './interaction/chat.js';
import { ChatReportsRepository, ChatRepository } from './interaction/chat.repository.js';
import { ClassChanges, ClassStateBroadcaster, ClassStates, GetClassState } from './interaction/class-states.js';
import { ClassStatesRepository, ReactionsRepository, RoomRecordingsRepository } from './interaction/class-states.repository.js';
import { Hands, Reactions, Speaking } from './interaction/reactions.js';
import { Polls } from './interaction/polls.js';
import { PollsRepository, PollVotesRepository } from './interaction/polls.repository.js';
import { RoomRecordings } from './interaction/room-recordings.js';
import { AdvanceSchedule, ApplyBudget, FinishDueRoom, ReleaseIdleRoom } from './lifecycle/due-rooms.js';
import { ChangeRoom } from './lifecycle/change-room.js';
import { DueRoomsRepository, LeasesRepository, MediaRoomsRepository } from './lifecycle/due-rooms.repository.js';
import { EndClass, EndClasses, EndRoom, FinishRoom, PublishEngagement } from './lifecycle/end-room.js';
import { Leases, LiveKitRoomReconciler } from './lifecycle/livekit-room-reconciler.js';
import { AddConnectionPartitions, RoomSweep } from './lifecycle/room-sweep.js';
import { LiveKitClock } from './livekit/livekit-clock.js';
import { LiveKitRooms } from './livekit/livekit-rooms.js';
import { ChangeRole, Mute, RemoveParticipant, Spotlight } from './interaction/moderate-participants.js';
import { ModerateChat } from './interaction/moderate-chat.js';
import { ClassAuthorizer } from './participants/class-authorizer.js';
import { AnswerConsent, ListConsents } from './participants/consents.js';
import { ConsentsRepository } from './participants/consents.repository.js';
import { ParticipantsRepository } from './participants/participants.repository.js';
import { Removals } from './participants/removals.js';
import { RightsReconciler } from './participants/participant-rights.js';
import { SessionAddresses } from './participants/session-addresses.js';
import { SessionAddressesRepository } from './participants/session-addresses.repository.js';
import { WaitingRoomList } from './participants/waiting-room-list.js';
import { ApplyLists, PresenceReconciler, ReconcileRoom } from './presence/presence-reconciler.js';
import { ApplyWebhooks } from './presence/apply-webhooks.js';
import { AttendanceRepository } from './presence/attendance.repository.js';
import { CommitPresence, ListConnections } from './presence/commit-presence.js';
import { ConnectionsRepository } from './presence/connections.repository.js';
import { LiveRoomsRepository } from './presence/live-rooms.repository.js';
import { RoomDeadlines } from './presence/room-deadlines.js';
import {
  AddressExpiry,
  BoardExpiry,
  ChatExpiry,
  CountOldClasses,
  EngagementExpiry,
  EraseFromClasses,
  PollExpiry,
  PresenceExpiry,
  Pseudonymize,
} from './privacy/erase-from-classes.js';
import { ExportedRepository } from './privacy/exported.repository.js';
import { OldClassesRepository } from './privacy/old-classes.repository.js';
import { EngagementRepository, ParticipantMinutesRepository } from './reports/participant-minutes.repository.js';
import { AttendanceBasis, EvaluateAttendance } from './reports/evaluate-attendance.js';
import { ExplainQuality } from './reports/explain-quality.js';
import { ListEngagement, RecordMinutes, SummarizeEngagement } from './reports/engagement.js';
import { GetParticipant, ListParticipants } from './reports/list-participants.js';
import { ListRooms } from './reports/list-rooms.js';
import { ParticipantListRepository, RoomListRepository, RoomTotalsRepository } from './reports/room-list.repository.js';
import { RoomGauges } from './reports/room-gauges.js';
import { SummarizeRoom } from './reports/summarize-room.js';
import { FindRoom } from './rooms/find-room.js';
import { Presets } from './rooms/presets.js';
import { PresetsRepository } from './rooms/presets.repository.js';
import { RoomReadsRepository } from './rooms/room-reads.repository.js';
import { RoomsRepository } from './rooms/rooms.repository.js';
import { RosterRepository } from './rooms/roster.repository.js';
import { entities } from './schema/sql.js';

@Module({})
export class AppModule {
  static forRoot(config: RoomConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(config),
        PersistenceModule.forRoot({ schema: 'room', config, entities }),
        MessagingModule.forRoot({ name: 'room', service: 'room', config }),
        // If billing does not answer, the room is created: an overdraft can be corrected later, a missed class cannot.
        CreditStatusModule.forRoot({ consumer: CONSUMERS.roomCreditStatus, refusedBy: 'isOverconsumed', whenUnknown: 'allow' }),
        PersonalDataModule,
        RetentionSweepModule.forRoot({
          rules: [AddressExpiry, BoardExpiry, ChatExpiry, EngagementExpiry, PollExpiry, PresenceExpiry],
          imports: [PersonalDataModule],
        }),
      ],
      providers: [
        // livekit
        LiveKitClock,
        LiveKitRooms,
        // rooms
        FindRoom,
        Presets,
        PresetsRepository,
        RoomsRepository,
        // participants
        AnswerConsent,
        ClassAuthorizer,
        ConsentsRepository,
        ListConsents,
        Removals,
        RightsReconciler,
        SessionAddresses,
        WaitingRoomList,
        // presence
        ApplyLists,
        ApplyWebhooks,
        AttendanceRepository,
        CommitPresence,
        ListConnections,
        LiveRoomsRepository,
        PresenceReconciler,
        ReconcileRoom,
        RoomDeadlines,
        // interaction
        Chat,
        ClassChanges,
        ClassStateBroadcaster,
        ClassStates,
        ClassStatesRepository,
        ExportChat,
        GetClassState,
        Hands,
        ListRoomChat,
        Polls,
        Reactions,
        ReactionsRepository,
        RoomRecordings,
        RoomRecordingsRepository,
        // board
        Board,
        BoardBroadcaster,
        BoardFlood,
        BoardStates,
        ExportBoard,
        FilmBoard,
        // reports
        AttendanceBasis,
        EngagementRepository,
        EvaluateAttendance,
        ExplainQuality,
        GetParticipant,
        ListEngagement,
        ListParticipants,
        ListRooms,
        ParticipantListRepository,
        RecordMinutes,
        RoomGauges,
        RoomListRepository,
        RoomTotalsRepository,
        SummarizeEngagement,
        SummarizeRoom,
        // moderation
        ChangeRole,
        ModerateChat,
        Mute,
        RemoveParticipant,
        Speaking,
        Spotlight,
        // lifecycle
        AddConnectionPartitions,
        AdvanceSchedule,
        ApplyBudget,
        ChangeRoom,
        DueRoomsRepository,
        EndClass,
        EndClasses,
        EndRoom,
        FinishDueRoom,
        FinishRoom,
        Leases,
        LeasesRepository,
        LiveKitRoomReconciler,
        MediaRoomsRepository,
        PublishEngagement,
        ReleaseIdleRoom,
        RoomSweep,
        // admission
        Authenticate,
        Authorize,
        Capacity,
        CreateRoom,
        DecideAdmission,
        DuplicateJoins,
        EnterWaitingRoom,
        GetAdmission,
        IssueJoinToken,
        JoinRoom,
        ListWaiting,
        OpenSession,
        ResumeCreations,
        // privacy
        CountOldClasses,
        EraseFromClasses,
        ExportedRepository,
        OldClassesRepository,
      ],
    };
  }
}

/** What the rules of retention inject. The sweep's module imports it, so it is a module of its own. */
const PERSONAL_DATA = [
  BoardRepository,
  ChatReportsRepository,
  ChatRepository,
  ConnectionsRepository,
  ParticipantMinutesRepository,
  ParticipantsRepository,
  PollVotesRepository,
  PollsRepository,
  Pseudonymize,
  RoomReadsRepository,
  RosterRepository,
  SessionAddressesRepository,
];

@Module({ providers: PERSONAL_DATA, exports: PERSONAL_DATA })
class PersonalDataModule {}

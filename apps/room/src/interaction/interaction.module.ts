import { Module } from '@nestjs/common';
import { LiveKitModule } from '../livekit/livekit.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { PresenceModule } from '../presence/presence.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { RosterModule } from '../roster/roster.module.js';
import { ChangeRoom } from './change-room.js';
import { Chat } from './chat.js';
import { ChatReportsRepository } from './chat-reports.repository.js';
import { ChatRepository } from './chat.repository.js';
import { ClassStateBroadcaster } from './class-state-broadcaster.js';
import { ClassChanges } from './class-changes.js';
import { ClassStatesRepository } from './class-states.repository.js';
import { ClassStates } from './class-states.js';
import { Hands } from './hands.js';
import { GetClassState } from './get-class-state.js';
import { ListRoomChat } from './list-room-chat.js';
import { ModerateChat } from './moderate-chat.js';
import { PollVotesRepository } from './poll-votes.repository.js';
import { Polls } from './polls.js';
import { PollsRepository } from './polls.repository.js';
import { ReactionsRepository } from './reactions.repository.js';
import { Reactions } from './reactions.js';
import { RoomRecordingsRepository } from './room-recordings.repository.js';
import { RoomRecordings } from './room-recordings.js';

@Module({
  imports: [LiveKitModule, ParticipantsModule, PresenceModule, RoomsModule, RosterModule],
  providers: [
    ChangeRoom,
    Chat,
    ChatReportsRepository,
    ChatRepository,
    ClassStateBroadcaster,
    ClassChanges,
    ClassStates,
    ClassStatesRepository,
    GetClassState,
    Hands,
    ListRoomChat,
    ModerateChat,
    Polls,
    PollsRepository,
    PollVotesRepository,
    Reactions,
    ReactionsRepository,
    RoomRecordings,
    RoomRecordingsRepository,
  ],
  exports: [ChatReportsRepository, ChatRepository, ClassChanges, ClassStates, PollsRepository, PollVotesRepository, Reactions],
})
export class InteractionModule {}

import { Module } from '@nestjs/common';
import { LiveKitModule } from '../livekit/livekit.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { ClassAuthorizer } from './class-authorizer.js';
import { ParticipantsRepository } from './participants.repository.js';
import { Removals } from './removals.js';
import { RightsReconciler } from './rights-reconciler.js';
import { WaitingRoomList } from './waiting-room-list.js';
import { SessionAddressesRepository } from './session-addresses.repository.js';
import { SessionAddresses } from './session-addresses.js';

@Module({
  imports: [LiveKitModule, RoomsModule],
  providers: [
    ClassAuthorizer,
    ParticipantsRepository,
    Removals,
    RightsReconciler,
    SessionAddresses,
    SessionAddressesRepository,
    WaitingRoomList,
  ],
  exports: [
    ClassAuthorizer,
    ParticipantsRepository,
    Removals,
    RightsReconciler,
    SessionAddresses,
    SessionAddressesRepository,
    WaitingRoomList,
  ],
})
export class ParticipantsModule {}

import { Module } from '@nestjs/common';
import { LiveKitModule } from '../livekit/livekit.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { ActingParticipant } from './acting-participant.js';
import { ParticipantsRepository } from './participants.repository.js';
import { Removals } from './removals.js';
import { Rights } from './rights.js';
import { SessionAddressesRepository } from './session-addresses.repository.js';
import { SessionAddresses } from './session-addresses.js';

@Module({
  imports: [LiveKitModule, RoomsModule],
  providers: [ActingParticipant, ParticipantsRepository, Removals, Rights, SessionAddresses, SessionAddressesRepository],
  exports: [ActingParticipant, ParticipantsRepository, Removals, Rights, SessionAddresses],
})
export class ParticipantsModule {}

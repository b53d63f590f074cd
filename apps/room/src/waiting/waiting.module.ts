import { Module } from '@nestjs/common';
import { InteractionModule } from '../interaction/interaction.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { DecideAdmission } from './decide-admission.js';
import { GetAdmission } from './get-admission.js';
import { EnterWaitingRoom } from './enter-waiting-room.js';
import { ListWaiting } from './list-waiting.js';

@Module({
  imports: [InteractionModule, ParticipantsModule, RoomsModule],
  providers: [DecideAdmission, GetAdmission, EnterWaitingRoom, ListWaiting],
  exports: [EnterWaitingRoom],
})
export class WaitingModule {}

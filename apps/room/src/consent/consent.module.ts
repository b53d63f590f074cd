import { Module } from '@nestjs/common';
import { ParticipantsModule } from '../participants/participants.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { AnswerConsent } from './answer-consent.js';
import { ConsentsRepository } from './consents.repository.js';
import { ListConsents } from './list-consents.js';

@Module({
  imports: [ParticipantsModule, RoomsModule],
  providers: [AnswerConsent, ConsentsRepository, ListConsents],
  exports: [ConsentsRepository],
})
export class ConsentModule {}

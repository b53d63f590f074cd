import { Module } from '@nestjs/common';
import { RetentionSweepModule } from '@classroom/messaging';
import { ConsentModule } from '../consent/consent.module.js';
import { EngagementModule } from '../engagement/engagement.module.js';
import { InteractionModule } from '../interaction/interaction.module.js';
import { LifecycleModule } from '../lifecycle/lifecycle.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { PresenceModule } from '../presence/presence.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { RosterModule } from '../roster/roster.module.js';
import { AddressExpiry, ChatExpiry, EngagementExpiry, PollExpiry, PresenceExpiry } from './expiries.js';
import { CountOldClasses } from './count-old-classes.js';
import { EraseFromClasses } from './erase-from-classes.js';
import { ExportedRepository } from './exported.repository.js';
import { OldClassesRepository } from './old-classes.repository.js';
import { Pseudonymize } from './pseudonymize.js';

const owners = [ConsentModule, EngagementModule, InteractionModule, ParticipantsModule, PresenceModule, RoomsModule, RosterModule];

@Module({
  imports: owners,
  providers: [Pseudonymize],
  exports: [Pseudonymize, ...owners],
})
export class PersonalDataModule {}

@Module({
  imports: [
    LifecycleModule,
    PersonalDataModule,
    RetentionSweepModule.forRoot({
      rules: [AddressExpiry, ChatExpiry, EngagementExpiry, PollExpiry, PresenceExpiry],
      imports: [PersonalDataModule],
    }),
  ],
  providers: [CountOldClasses, EraseFromClasses, ExportedRepository, OldClassesRepository],
})
export class PrivacyModule {}

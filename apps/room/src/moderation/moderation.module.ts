import { Module } from '@nestjs/common';
import { InteractionModule } from '../interaction/interaction.module.js';
import { LiveKitModule } from '../livekit/livekit.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { PresenceModule } from '../presence/presence.module.js';
import { ChangeRole } from './change-role.js';
import { Mute } from './mute.js';
import { RemoveParticipant } from './remove-participant.js';
import { Speaking } from './speaking.js';
import { Spotlight } from './spotlight.js';

@Module({
  imports: [InteractionModule, LiveKitModule, ParticipantsModule, PresenceModule],
  providers: [ChangeRole, Mute, RemoveParticipant, Speaking, Spotlight],
  exports: [ChangeRole],
})
export class ModerationModule {}

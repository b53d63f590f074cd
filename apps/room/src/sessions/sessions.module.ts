import { Module } from '@nestjs/common';
import { AdmissionModule } from '../admission/admission.module.js';
import { LiveKitModule } from '../livekit/livekit.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { PresenceModule } from '../presence/presence.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { WaitingModule } from '../waiting/waiting.module.js';
import { Authenticate } from './authenticate.js';
import { Authorize } from './authorize.js';
import { OpenSession } from './open-session.js';

@Module({
  imports: [AdmissionModule, LiveKitModule, ParticipantsModule, PresenceModule, RoomsModule, WaitingModule],
  providers: [Authenticate, Authorize, OpenSession],
})
export class SessionsModule {}

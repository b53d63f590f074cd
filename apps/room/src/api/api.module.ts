import { Module } from '@nestjs/common';
import { AdmissionModule } from '../admission/admission.module.js';
import { InteractionModule } from '../interaction/interaction.module.js';
import { LifecycleModule } from '../lifecycle/lifecycle.module.js';
import { ModerationModule } from '../moderation/moderation.module.js';
import { PresenceModule } from '../presence/presence.module.js';
import { ReportsModule } from '../reports/reports.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { BackendRpc } from './backend.rpc.js';
import { ClassroomRpc } from './classroom.rpc.js';
import { InteractionRpc } from './interaction.rpc.js';
import { RoomsRpc } from './rooms.rpc.js';

@Module({
  imports: [
    AdmissionModule,
    InteractionModule,
    LifecycleModule,
    ModerationModule,
    PresenceModule,
    ReportsModule,
    RoomsModule,
    SessionsModule,
  ],
  controllers: [BackendRpc, ClassroomRpc, InteractionRpc, RoomsRpc],
})
export class ApiModule {}

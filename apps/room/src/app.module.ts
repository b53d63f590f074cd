import { Module, type DynamicModule } from '@nestjs/common';
import { MessagingModule } from '@classroom/messaging';
import { PersistenceModule } from '@classroom/persistence';
import { PlatformModule } from '@classroom/platform';
import { AdmissionModule } from './admission/admission.module.js';
import { AttendanceModule } from './attendance/attendance.module.js';
import type { RoomConfig } from './config.js';
import { ConsentModule } from './consent/consent.module.js';
import { EngagementModule } from './engagement/engagement.module.js';
import { InteractionModule } from './interaction/interaction.module.js';
import { LifecycleModule } from './lifecycle/lifecycle.module.js';
import { ModerationModule } from './moderation/moderation.module.js';
import { PresenceModule } from './presence/presence.module.js';
import { PresetsModule } from './presets/presets.module.js';
import { PrivacyModule } from './privacy/privacy.module.js';
import { ReportsModule } from './reports/reports.module.js';
import { RoomsModule } from './rooms/rooms.module.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { entities } from './schema/sql.js';
import { WaitingModule } from './waiting/waiting.module.js';

@Module({})
export class AppModule {
  static forRoot(config: RoomConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(config),
        PersistenceModule.forRoot({ schema: 'room', config, entities }),
        MessagingModule.forRoot({ name: 'room', service: 'room', config }),
        AdmissionModule,
        AttendanceModule,
        ConsentModule,
        EngagementModule,
        InteractionModule,
        LifecycleModule,
        ModerationModule,
        PresenceModule,
        PresetsModule,
        PrivacyModule,
        ReportsModule,
        RoomsModule,
        SessionsModule,
        WaitingModule,
      ],
    };
  }
}

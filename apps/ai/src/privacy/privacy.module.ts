import { Module } from '@nestjs/common';
import { RetentionSweepModule } from '@classroom/messaging';
import { ChatsModule } from '../chats/chats.module.js';
import { TutorModule } from '../tutor/tutor.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { DialogueExpiry } from './dialogue-expiry.js';

@Module({ imports: [RetentionSweepModule.forRoot({ rules: [DialogueExpiry], imports: [ChatsModule, TutorModule, UsageModule] })] })
export class PrivacyModule {}

import { Module } from '@nestjs/common';
import { RetentionSweepModule } from '@classroom/messaging';
import { ChatsModule } from '../chats/chats.module.js';
import { TutorModule } from '../tutor/tutor.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { CountOldDialogues } from './count-old-dialogues.js';
import { DeleteDialogues } from './delete-dialogues.js';
import { DialogueExpiry } from './dialogue-expiry.js';
import { EraseDialogues } from './erase-dialogues.js';
import { ExportedRepository } from './exported.repository.js';

@Module({ imports: [ChatsModule, TutorModule, UsageModule], providers: [DeleteDialogues], exports: [ChatsModule, DeleteDialogues] })
export class PersonalDataModule {}

@Module({
  imports: [PersonalDataModule, RetentionSweepModule.forRoot({ rules: [DialogueExpiry], imports: [PersonalDataModule] })],
  providers: [CountOldDialogues, EraseDialogues, ExportedRepository],
})
export class PrivacyModule {}

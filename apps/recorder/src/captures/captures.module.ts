import { Module } from '@nestjs/common';
import { AnnouncementsModule } from '../announcements/announcements.module.js';
import { FilmModule } from '../film/film.module.js';
import { ToolsModule } from '../tools/tools.module.js';
import { CaptureDesk } from './capture-desk.js';
import { Completion } from './completion.js';
import { Slots } from './slots.js';

@Module({
  imports: [AnnouncementsModule, FilmModule, ToolsModule],
  providers: [CaptureDesk, Completion, Slots],
})
export class CapturesModule {}

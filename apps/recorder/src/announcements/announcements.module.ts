import { Module } from '@nestjs/common';
import { Announcer } from './announcer.js';

@Module({
  providers: [Announcer],
  exports: [Announcer],
})
export class AnnouncementsModule {}

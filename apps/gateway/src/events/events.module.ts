import { Module } from '@nestjs/common';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { HttpModule } from '../http/http.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { EventsController } from './events.controller.js';
import { FollowHistory } from './follow-history.js';
import { HistoryReader } from './history-reader.js';
import { PermissionWatch } from './permission-watch.js';

@Module({
  imports: [AuthenticationModule, HttpModule, LimitsModule],
  controllers: [EventsController],
  providers: [FollowHistory, HistoryReader, PermissionWatch],
})
export class EventsModule {}

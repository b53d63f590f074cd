import { Module } from '@nestjs/common';
import { EngagementController } from './engagement.controller.js';
import { RoomsController } from './rooms.controller.js';

@Module({ controllers: [EngagementController, RoomsController] })
export class RoomsModule {}

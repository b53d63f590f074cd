import { Module } from '@nestjs/common';
import { ConnectionsController } from './connections.controller.js';
import { DashboardRoomsController } from './dashboard-rooms.controller.js';
import { DashboardController } from './dashboard.controller.js';
import { RetentionEffectController } from './retention-effect.controller.js';

@Module({ controllers: [ConnectionsController, DashboardController, DashboardRoomsController, RetentionEffectController] })
export class DashboardModule {}

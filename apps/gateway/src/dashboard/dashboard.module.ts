import { Module } from '@nestjs/common';
import { ConnectionsController } from './connections.controller.js';
import { DashboardController } from './dashboard.controller.js';

@Module({ controllers: [ConnectionsController, DashboardController] })
export class DashboardModule {}

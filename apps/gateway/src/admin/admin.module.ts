import { Module } from '@nestjs/common';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { DashboardTokensController } from './dashboard-tokens.controller.js';

@Module({ imports: [AuthenticationModule], controllers: [DashboardTokensController] })
export class AdminModule {}

import { Module } from '@nestjs/common';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { DashboardCodes } from './dashboard-codes.js';
import { DashboardTokensController } from './dashboard-tokens.controller.js';

@Module({ imports: [AuthenticationModule, LimitsModule], controllers: [DashboardTokensController], providers: [DashboardCodes] })
export class AdminModule {}

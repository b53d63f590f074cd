import { Module } from '@nestjs/common';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { CreditsController } from './credits.controller.js';
import { DashboardTokensController } from './dashboard-tokens.controller.js';

@Module({ imports: [AuthenticationModule], controllers: [CreditsController, DashboardTokensController] })
export class AdminModule {}

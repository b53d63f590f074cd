import { Module } from '@nestjs/common';
import { HealthCheck } from './health-check.js';
import { HealthController } from './health.controller.js';
import { SystemController } from './system.controller.js';

@Module({ controllers: [HealthController, SystemController], providers: [HealthCheck] })
export class HealthModule {}

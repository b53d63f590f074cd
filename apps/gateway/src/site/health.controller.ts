import { Controller, Res } from '@nestjs/common';
import { getHealth } from '@classroom/contracts';
import type { FastifyReply } from 'fastify';
import { Endpoint } from '../http/endpoint.js';
import { HealthCheck } from './health-check.js';
import { version } from '../version.js';

@Controller()
export class HealthController {
  constructor(private readonly healthCheck: HealthCheck) {}

  @Endpoint(getHealth)
  async getHealth(@Res({ passthrough: true }) reply: FastifyReply) {
    const { status, at } = await this.healthCheck.report();
    if (status === 'unhealthy') reply.code(503);
    reply.header('cache-control', 'no-store');
    const data = { status, healthy: status === 'healthy', timestamp: at.toISOString(), version };
    return { success: true as const, message: `System is ${status}`, data };
  }
}

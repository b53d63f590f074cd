import { z } from 'zod';
import { defineEndpoint, successful } from '../kernel/http.js';
import { NAMES } from '../kernel/reference.js';
import { defineRpc, type ServiceName } from '../kernel/rpc.js';

export const dependencyState = z.enum(['up', 'down']);
export type DependencyState = z.infer<typeof dependencyState>;

/** Each service reports the dependencies that it uses itself: `{postgres: "up", livekit: "down"}`. */
export const healthRpc = (service: ServiceName) =>
  defineRpc({
    service,
    rpc: 'health.check',
    callers: service === 'recorder' ? ['gateway', 'recording'] : ['gateway'],
    input: z.object({}),
    output: z.object({ dependencies: z.record(z.string(), dependencyState) }),
    /** A service waits one second for a dependency; the rest is margin for a busy machine. */
    timeoutMs: 2_500,
  });

export const healthStatus = z.enum(['healthy', 'degraded', 'unhealthy']);
export type HealthStatus = z.infer<typeof healthStatus>;

export const health = z
  .object({
    success: z.literal(true).describe('Always `true`, also for `unhealthy`.'),
    warnings: successful.warnings,
    message: z.string().describe('The status in a sentence.'),
    data: z
      .object({
        status: healthStatus.describe(
          '`healthy`: everything works. `degraded`: a feature is down, classes work. `unhealthy`: a part that every class needs is down.',
        ),
        healthy: z.boolean().describe('Whether `status` is `healthy`.'),
        timestamp: z.string().describe('Time of the check, ISO 8601 in UTC.'),
        version: z.string().optional().describe('Version of the API; absent if it is not known.'),
      })
      .describe('The health of the service.'),
  })
  .register(NAMES, { id: 'Health', description: 'The health of the service.' });

export const getHealth = defineEndpoint({
  operationId: 'getHealth',
  summary: 'Get health',
  description: 'Returns whether the service and its dependencies work.',
  tag: 'Health',
  sdk: 'health',
  route: 'GET /v1/health/status',
  auth: 'none',
  response: health,
  otherStatuses: { 503: '`unhealthy`: a part that every class needs is down.' },
  example: {},
});

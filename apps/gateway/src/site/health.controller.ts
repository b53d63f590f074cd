import { Controller, Inject, Injectable, Res } from '@nestjs/common';
import {
  getHealth,
  getSystem,
  healthRpc,
  processRpc,
  type DependencyState,
  type HealthStatus,
  type ProcessReport,
  type ServiceName,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Clock, CONFIG, Dependencies } from '@classroom/platform';
import type { FastifyReply } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { Endpoint, success } from '../http/endpoint.js';
import { version } from '../version.js';

/** Without these services and dependencies nothing works; without any other the system is degraded. */
const VITAL_SERVICES: ServiceName[] = ['organization', 'room'];
const SERVICES: ServiceName[] = ['organization', 'room', 'billing', 'recording', 'media', 'ai'];
const VITAL_DEPENDENCIES = new Set(['postgres', 'nats', 'streams']);
const CACHE_TTL_MS = 5_000;

interface HealthReport {
  status: HealthStatus;
  at: Date;
}

/** The condition of the system: each service is asked for the state of its dependencies. The report is cached for 5 s. */
@Injectable()
export class HealthCheck {
  private cached: { until: number; report: Promise<HealthReport> } | undefined;

  constructor(
    private readonly rpc: RpcClient,
    private readonly dependencies: Dependencies,
    private readonly clock: Clock,
  ) {}

  report(): Promise<HealthReport> {
    const now = performance.now();
    if (!this.cached || this.cached.until < now) this.cached = { until: now + CACHE_TTL_MS, report: this.check() };
    return this.cached.report;
  }

  private async check(): Promise<HealthReport> {
    const own = await this.dependencies.states();
    const others = own['nats'] === 'down' ? [] : await Promise.all(SERVICES.map((service) => this.checkService(service)));
    return { status: statusOf([own, ...others]), at: this.clock.wall() };
  }

  private async checkService(service: ServiceName): Promise<Record<string, DependencyState>> {
    try {
      const { dependencies } = await this.rpc.call(healthRpc(service), {});
      // An unreachable dependency of any other service degrades the system; only that of a vital service can make it unhealthy.
      return VITAL_SERVICES.includes(service) ? dependencies : asOneDependency(service, dependencies);
    } catch {
      return { [service]: 'down' };
    }
  }
}

function asOneDependency(service: ServiceName, dependencies: Record<string, DependencyState>): Record<string, DependencyState> {
  return { [service]: Object.values(dependencies).includes('down') ? 'down' : 'up' };
}

function statusOf(states: Record<string, DependencyState>[]): HealthStatus {
  const down = states.flatMap((state) => Object.keys(state).filter((name) => state[name] === 'down'));
  if (down.some((name) => VITAL_DEPENDENCIES.has(name) || VITAL_SERVICES.includes(name as ServiceName))) return 'unhealthy';
  return down.length > 0 ? 'degraded' : 'healthy';
}

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

/** LiveKit Egress may record in place of recorders. */
const EXPECTED = Object.keys(processRpc).filter((service) => service !== 'recorder');

type Answer = ProcessReport & { service: string };

@Controller()
export class SystemController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: GatewayConfig,
  ) {}

  @Endpoint(getSystem)
  async getSystem() {
    const at = this.clock.wall().toISOString();
    const found = await Promise.all(
      Object.values(processRpc).map(async (contract) => {
        const reports = await this.rpc.callAll(contract);
        return reports.map((report): Answer => ({ service: contract.service, ...report }));
      }),
    );
    const answers = found.flat();
    return success({
      at,
      missing: EXPECTED.filter((service) => !answers.some((answer) => answer.service === service)),
      processes: answers.map(({ queues: _, consumers: __, ...process }) => process),
      // All processes of a service read the same values.
      queues: once(
        answers,
        ({ queues }) => queues,
        ({ queue }) => queue,
      ),
      consumers: once(
        answers,
        ({ consumers }) => consumers,
        ({ consumer }) => consumer,
      ),
      tracesUrl: this.config.TRACES_URL ?? null,
    });
  }
}

/** The items of all answers, one of each name. */
function once<T>(answers: readonly Answer[], itemsOf: (answer: Answer) => readonly T[], nameOf: (item: T) => string) {
  const items = answers.flatMap((answer) => itemsOf(answer).map((item) => ({ service: answer.service, ...item })));
  return [...new Map(items.map((item) => [nameOf(item), item])).values()];
}

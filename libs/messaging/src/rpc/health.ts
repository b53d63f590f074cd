import { Inject, Injectable, type OnApplicationBootstrap, type Type } from '@nestjs/common';
import { healthRpc, processRpc, type AppName, type ProcessReport, type RpcOutput, type ServiceName } from '@classroom/contracts';
import { CONFIG, Dependencies, readGauges, version, type BaseConfig } from '@classroom/platform';
import { Handles } from './handles.js';
import { RpcServer } from './server.js';

/** Reports to the gateway the state of each dependency that the service uses. */
export function healthOf(service: ServiceName): Type {
  const contract = healthRpc(service);

  @Injectable()
  class Health {
    constructor(readonly dependencies: Dependencies) {}

    @Handles(contract)
    async check(): Promise<RpcOutput<typeof contract>> {
      return { dependencies: await this.dependencies.states() };
    }
  }
  return Health;
}

/** Reports what each process of the app knows of itself. */
export function reportsOf(app: AppName): Type {
  @Injectable()
  class Reports implements OnApplicationBootstrap {
    constructor(
      readonly server: RpcServer,
      @Inject(CONFIG) readonly config: BaseConfig,
    ) {}

    /** In every role, and without a queue group: each process answers. */
    onApplicationBootstrap(): void {
      this.server.serve(processRpc[app], () => reportProcess(this.config), { queue: null });
    }
  }
  return Reports;
}

const GAUGES = [
  'classroom_recorder_slots',
  'classroom_recorder_free_slots',
  'classroom_job_overdue_seconds',
  'classroom_consumer_waiting',
  'classroom_consumer_lag_seconds',
] as const;
const startedAt = new Date(Date.now() - process.uptime() * 1000).toISOString();

/** What this process publishes as metrics, for operators without a Prometheus. */
async function reportProcess({ ROLES }: BaseConfig): Promise<ProcessReport> {
  const readings = await readGauges(GAUGES);
  const valuesOf = (name: (typeof GAUGES)[number], label: string) =>
    new Map(readings.filter((it) => it.name === name).map(({ attributes, value }) => [String(attributes?.[label]), value]));
  const lags = valuesOf('classroom_consumer_lag_seconds', 'consumer');
  const valueOf = (name: (typeof GAUGES)[number]) => readings.find((it) => it.name === name)?.value ?? null;
  return {
    version,
    roles: ROLES,
    startedAt,
    slots: valueOf('classroom_recorder_slots'),
    freeSlots: valueOf('classroom_recorder_free_slots'),
    queues: [...valuesOf('classroom_job_overdue_seconds', 'queue')].map(([queue, overdueSeconds]) => ({ queue, overdueSeconds })),
    consumers: [...valuesOf('classroom_consumer_waiting', 'consumer')].map(([consumer, waiting]) => ({
      consumer,
      waiting,
      lagSeconds: lags.get(consumer) ?? 0,
    })),
  };
}

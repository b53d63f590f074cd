import type { ProcessReport } from '@classroom/contracts';
import { readGauges, version, type BaseConfig } from '@classroom/platform';

const GAUGES = [
  'classroom_recorder_slots',
  'classroom_recorder_free_slots',
  'classroom_job_overdue_seconds',
  'classroom_consumer_waiting',
  'classroom_consumer_lag_seconds',
] as const;
const startedAt = new Date(Date.now() - process.uptime() * 1000).toISOString();

/** What this process publishes as metrics, for operators without a Prometheus. */
export async function reportProcess({ ROLES }: BaseConfig): Promise<ProcessReport> {
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

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { metrics } from '@opentelemetry/api';
import { version } from '../version.js';
import { observedGauges } from './observed-gauge.js';

/** A finer resolution would only wake an idle process more often. */
const RESOLUTION_MS = 20;

/**
 * The process metrics of Prometheus's own client libraries, under the names that common dashboards and alerts use. Call it once
 * per process.
 */
export function observeProcess(): void {
  const startedAt = Date.now() / 1000 - process.uptime();
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const gauges = {
    classroom_build_info: 'Always 1; the label `version` says which release runs',
    process_start_time_seconds: 'Since 1970',
    process_resident_memory_bytes: 'Memory of the process that is in RAM',
    nodejs_heap_size_used_bytes: 'Of that, what JavaScript holds or has not yet let go',
    nodejs_eventloop_lag_p99_seconds: 'How late 99 of 100 timers were at most, since the last look',
    nodejs_eventloop_lag_max_seconds: 'How late the latest was',
  };
  observedGauges(gauges, () => {
    const lateSeconds = (nanoseconds: number) => (delay.count === 0 ? 0 : Math.max(nanoseconds / 1e9 - RESOLUTION_MS / 1000, 0));
    const { rss, heapUsed } = process.memoryUsage();
    const readings = [
      { name: 'classroom_build_info' as const, value: 1, attributes: { version } },
      { name: 'process_start_time_seconds' as const, value: startedAt },
      { name: 'process_resident_memory_bytes' as const, value: rss },
      { name: 'nodejs_heap_size_used_bytes' as const, value: heapUsed },
      { name: 'nodejs_eventloop_lag_p99_seconds' as const, value: lateSeconds(delay.percentile(99)) },
      { name: 'nodejs_eventloop_lag_max_seconds' as const, value: lateSeconds(delay.max) },
    ];
    delay.reset();
    return readings;
  });
  const cpu = metrics
    .getMeter('virtual-classroom')
    .createObservableCounter('process_cpu_seconds_total', { description: 'Time on all cores together' });
  cpu.addCallback((result) => {
    const { user, system } = process.cpuUsage();
    result.observe((user + system) / 1e6);
  });
}

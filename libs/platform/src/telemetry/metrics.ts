import { metrics } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';

/** The probe server serves it at /metrics, so it needs no port of its own. */
export const metricReader = new PrometheusExporter({ preventServerStart: true });

/** Includes 0.3, the target for a join. */
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.3, 0.5, 1, 2.5, 5, 10];

/** A histogram of seconds: rate, errors (by a label) and duration in one instrument. */
export function durationHistogram(name: string, description: string) {
  return metrics.getMeter('virtual-classroom').createHistogram(name, {
    description,
    unit: 's',
    advice: { explicitBucketBoundaries: BUCKETS_SECONDS },
  });
}

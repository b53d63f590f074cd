import { metrics, type Attributes, type ObservableGauge } from '@opentelemetry/api';
import { logger } from '../logger.js';

export interface Reading {
  value: number;
  attributes?: Attributes;
}

const gauges = new Map<string, ObservableGauge>();

/** One instrument a name, whoever reads for it. */
function gaugeOf(name: string, description: string): ObservableGauge {
  const known = gauges.get(name) ?? metrics.getMeter('virtual-classroom').createObservableGauge(name, { description });
  gauges.set(name, known);
  return known;
}

/**
 * A fact that is read when somebody looks (at /metrics), such as how much waits in a table. What all processes of a service
 * read alike is one value, not their sum: dashboards take the maximum. Where it can't be read, nothing is said.
 */
export function observedGauge(name: string, description: string, read: () => readonly Reading[] | Promise<readonly Reading[]>): void {
  gaugeOf(name, description).addCallback(async (result) => {
    try {
      for (const { value, attributes } of await read()) result.observe(value, attributes);
    } catch (error) {
      logger.debug({ err: error, metric: name }, 'a metric could not be read');
    }
  });
}

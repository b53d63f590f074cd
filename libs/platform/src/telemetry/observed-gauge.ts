import { metrics, type Attributes, type ObservableGauge } from '@opentelemetry/api';
import { logger } from '../logger.js';

export interface Reading<N extends string = string> {
  name: N;
  value: number;
  attributes?: Attributes;
}

const meter = metrics.getMeter('virtual-classroom');
const gauges = new Map<string, ObservableGauge>();
type Read = () => readonly Reading[] | Promise<readonly Reading[]>;
const readers: { names: readonly string[]; read: Read }[] = [];

/** One instrument per name, even if several callers read for it. */
function gaugeOf(name: string, description: string): ObservableGauge {
  const known = gauges.get(name) ?? meter.createObservableGauge(name, { description });
  gauges.set(name, known);
  return known;
}

/**
 * Gauges that are read at each scrape of /metrics, such as the number of waiting rows. One `read` serves all gauges of the call.
 * If all processes of a service read the same value, dashboards take the maximum, not the sum. If `read` fails, no value is
 * reported.
 * @param descriptions by the gauge's name
 */
export function observedGauges<N extends string>(
  descriptions: Record<N, string>,
  read: () => readonly Reading<N>[] | Promise<readonly Reading<N>[]>,
): void {
  const names = Object.keys(descriptions) as N[];
  readers.push({ names, read });
  const byName = new Map(names.map((name) => [name, gaugeOf(name, descriptions[name])]));
  meter.addBatchObservableCallback(
    async (result) => {
      try {
        for (const { name, value, attributes } of await read()) {
          const gauge = byName.get(name);
          if (gauge) result.observe(gauge, value, attributes);
        }
      } catch (error) {
        logger.debug({ err: error, metrics: names }, 'metrics could not be collected');
      }
    },
    [...byName.values()],
  );
}

/** As `observedGauges`, for a single gauge. */
export function observedGauge(
  name: string,
  description: string,
  read: () => readonly Omit<Reading, 'name'>[] | Promise<readonly Omit<Reading, 'name'>[]>,
): void {
  observedGauges({ [name]: description }, async () => (await read()).map((reading) => ({ name, ...reading })));
}

/** Reads these gauges now, apart from any scrape. Those that cannot be read are missing. */
export async function readGauges(names: readonly string[]): Promise<Reading[]> {
  const wanted = readers.filter((reader) => reader.names.some((name) => names.includes(name)));
  const results = await Promise.allSettled(wanted.map(async ({ read }) => read()));
  return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])).filter(({ name }) => names.includes(name));
}

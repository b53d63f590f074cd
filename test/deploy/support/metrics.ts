import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPO } from './programs.js';

const HISTOGRAM = ['_bucket', '_count', '_sum'];

/** Series that Prometheus itself creates. */
export const OWN_OF_PROMETHEUS = ['up', 'ALERTS'];

type Kind = 'gauge' | 'counter' | 'histogram';
const KINDS: Record<string, Kind> = {
  observedGauge: 'gauge',
  createCounter: 'counter',
  createObservableCounter: 'counter',
  durationHistogram: 'histogram',
  createHistogram: 'histogram',
};
const DECLARATION = /\b(observedGauge|createCounter|createObservableCounter|durationHistogram|createHistogram)\(\s*'([^']+)'/g;

/** Names of gauges that observedGauges declares as keys of an object. */
const GAUGE_OF_MANY = /\b((?:classroom|process|nodejs)_\w+): '/g;

/** The kinds of the metrics that the code declares, by their names in /metrics. */
export function declared(): Map<string, Kind> {
  const sources = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(join(REPO, folder)).flatMap((name) => sourcesOf(join(REPO, folder, name, 'src'))),
  );
  const found = sources.flatMap((source) => [...source.matchAll(DECLARATION)]);
  const gauges = sources.filter((source) => source.includes('observedGauges(')).flatMap((source) => [...source.matchAll(GAUGE_OF_MANY)]);
  return new Map([
    ...found.map(([, how = '', name = '']) => [name.replaceAll('.', '_'), KINDS[how] ?? 'gauge'] as const),
    ...gauges.map(([, name = '']) => [name, 'gauge'] as const),
  ]);
}

function sourcesOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'),
  );
  return files.map((name) => readFileSync(join(folder, name), 'utf8'));
}

/** The names of the series of these metrics. */
export const seriesNames = (metrics: Map<string, Kind>): string[] =>
  [...metrics].flatMap(([name, kind]) => (kind === 'histogram' ? HISTOGRAM.map((suffix) => name + suffix) : [name]));

export interface Sample {
  name: string;
  /** Labels in Prometheus's syntax, with the service added. */
  labels: string;
  value: number;
  type: string;
}

const FOLDER = join(__dirname, '..', 'metrics');

/**
 * The output of /metrics of each service after one class with a recording, a tutor and a stored video. bad-day.txt contains the metrics of failures.
 */
export const samples = (): Sample[] =>
  readdirSync(FOLDER).flatMap((file) => parse(readFileSync(join(FOLDER, file), 'utf8'), file.replace('.txt', '')));

function parse(text: string, service: string): Sample[] {
  let type = '';
  return text.split('\n').flatMap((line) => {
    type = /^# TYPE \S+ (\w+)$/.exec(line)?.[1] ?? type;
    const [, name = '', given = '', value] = /^([\w:]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (value === undefined) return [];
    const own = service === 'bad-day' ? [] : [`service="${service}"`];
    return [{ name, labels: [...own, ...(given ? [given] : [])].join(','), value: Number(value), type }];
  });
}

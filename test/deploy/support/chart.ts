import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest, Peer, Port } from './manifests.js';
import { helm, readYaml, REPO } from './programs.js';

export const CHART = join(REPO, 'deploy', 'helm', 'virtual-classroom');
export const NAMESPACE = 'school';

/** The chart with its defaults and the values that have none, for one school on one node, and for many schools. */
export const VALUE_SETS: Record<string, string[]> = {
  defaults: [join(__dirname, 'callers.yaml')],
  small: [join(CHART, 'examples', 'small.yaml')],
  production: [join(CHART, 'examples', 'production.yaml')],
};
export const SETS = Object.keys(VALUE_SETS);

const filesOf = (set: string): string[] => (VALUE_SETS[set] ?? []).flatMap((file) => ['--values', file]);

export const lint = (set: string) => helm(['lint', '--strict', CHART, ...filesOf(set)]);

/** @param settings in the syntax of `--set` */
export const template = (set: string, settings: string[] = [], release = 'vc') =>
  helm(['template', release, CHART, '--namespace', NAMESPACE, ...filesOf(set), ...settings.flatMap((it) => ['--set', it])]);

const rendered = new Map<string, Promise<Manifest[]>>();

/** The rendered manifests of a set, cached because tests only read them. @throws helm's error message */
export function render(set: string, settings: string[] = [], release = 'vc'): Promise<Manifest[]> {
  const key = [set, release, ...settings].join(' ');
  const known = rendered.get(key);
  if (known) return known;
  const made = template(set, settings, release).then(async ({ code, stdout, stderr }) => {
    if (code !== 0) throw new Error(stderr);
    const { documents, errors } = await readYaml<Manifest>(stdout);
    if (errors.length > 0) throw new Error(errors.join('\n'));
    return documents;
  });
  rendered.set(key, made);
  return made;
}

/** One row of files/apps.yaml. */
export interface AppFacts {
  roles: Record<string, string>;
  schema?: boolean;
  http?: number;
  reads: string[];
  talksTo: string[];
  serviceTalksTo?: string[];
  calledBy?: string[];
  consumers?: { stream: string; consumer: string }[];
  queue?: string;
}

let table: Promise<Record<string, AppFacts>> | undefined;

/** The rows of files/apps.yaml, cached because tests only read them. */
export function readTable(): Promise<Record<string, AppFacts>> {
  table ??= readYaml<Record<string, AppFacts>>(readFileSync(join(CHART, 'files', 'apps.yaml'), 'utf8')).then(
    ({ documents }) => documents[0] ?? {},
  );
  return table;
}

export interface ChartValues {
  recording: { engine: string };
  networkPolicy: { peers: Record<string, { to: Peer[]; ports: Port[] }>; callers: Record<string, { from: Peer[] }> };
  nats: { url: string };
  storage: { endpoint: string };
  livekit: { url: string };
  telemetry: { otlpEndpoint: string };
  billing: { existingSecret: string };
  [app: string]: unknown;
}

/** A set's values as helm computes them: maps are merged, everything else is replaced. */
export async function readValues(set: string): Promise<ChartValues> {
  let values: unknown = {};
  for (const file of [join(CHART, 'values.yaml'), ...(VALUE_SETS[set] ?? [])]) {
    const { documents } = await readYaml<unknown>(readFileSync(file, 'utf8'));
    values = merged(values, documents[0]);
  }
  return values as ChartValues;
}

const isMap = (it: unknown): it is Record<string, unknown> => typeof it === 'object' && it !== null && !Array.isArray(it);

function merged(under: unknown, over: unknown): unknown {
  if (!isMap(under) || !isMap(over)) return over ?? under;
  const names = [...new Set([...Object.keys(under), ...Object.keys(over)])];
  return Object.fromEntries(names.map((name) => [name, merged(under[name], over[name])]));
}

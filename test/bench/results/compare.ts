import { cpuRatio, type Result } from './results.ts';

/** Share of a committed ratio by processor time that a quick run must reach: next to other load, runs of the same code reach from 0.73 of it upwards. */
export const REQUIRED = 0.7;

export interface Comparison {
  path: string;
  /** bare / ours by processor time a unit */
  committed: number;
  measured: number;
  isMet: boolean;
  /** Microseconds a unit by process of our side, committed and measured: what changed. */
  cpu: string;
}

/** @throws {Error} if a path was not measured or has no committed result */
export function compare(name: string, committed: readonly Result[], measured: readonly Result[]): Comparison {
  const find = (results: readonly Result[], where: string) => {
    const found = results.find(({ path }) => path === name);
    if (!found) throw new Error(`${where} has no result of the path “${name}”`);
    return found;
  };
  const [before, now] = [find(committed, 'test/bench/quick-results.json'), find(measured, 'the quick run')];
  const ratios = { committed: cpuRatio(before), measured: cpuRatio(now) };
  const cpu = Object.entries(now.cpuPerOp.ours).map(
    ([process, microseconds]) => `${process} ${before.cpuPerOp.ours[process]?.toFixed(0) ?? '–'} → ${microseconds.toFixed(0)}`,
  );
  return { path: name, ...ratios, isMet: ratios.measured >= REQUIRED * ratios.committed, cpu: cpu.join(', ') };
}

/** What a developer reads about a path whose ratio is too low. */
export const failureOf = ({ path, committed, measured, cpu }: Comparison) =>
  `${path}: the ratio of bare to our processor time is ${measured.toFixed(2)}, less than ${REQUIRED} of the committed ${committed.toFixed(2)}.
  Our processes, committed → measured, µs a unit: ${cpu}.
  Next: compare profiles of the change and of its base (--profile=<folder> of the path's benchmark) and remove the cost. If the change is worth it,
  run npm run bench -- check --record on a quiet machine, commit the file, and give the reason in the commit.`;

import fs from 'node:fs';
import { cpus } from 'node:os';

/** One path of the system next to its bare parts, measured in the same run. */
export interface Result {
  path: string;
  /** What is counted, such as `requests`. */
  unit: string;
  /** Units a second, medians over the rounds. */
  ours: number;
  bare: number;
  /** ours / bare */
  ratio: number;
  /** The ratio that we aim for. */
  target: number;
  /** Microseconds of processor time a unit, all processes together, over all rounds. */
  cpuPerOp: { ours: number; bare: number };
}

/** Units, seconds, and microseconds of processor time by process, of one round. */
export interface Round {
  units: number;
  seconds: number;
  cpu: Record<string, number>;
}

export const median = (values: readonly number[]) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/** @param processes whose processor time counts; default: all */
export function toResult(
  head: Pick<Result, 'path' | 'unit' | 'target'>,
  rounds: Record<'ours' | 'bare', Round[]>,
  processes?: readonly string[],
): Result {
  const rate = (all: Round[]) => median(all.map(({ units, seconds }) => units / seconds));
  const cpu = (all: Round[]) => {
    const used = all.flatMap((round) => Object.entries(round.cpu)).filter(([name]) => processes?.includes(name) ?? true);
    return used.reduce((sum, [, microseconds]) => sum + microseconds, 0) / all.reduce((sum, { units }) => sum + units, 0);
  };
  const [ours, bare] = [rate(rounds.ours), rate(rounds.bare)];
  return { ...head, ours, bare, ratio: ours / bare, cpuPerOp: { ours: cpu(rounds.ours), bare: cpu(rounds.bare) } };
}

export interface Report {
  machine: string;
  measuredAt: string;
  results: Result[];
}

/** Adds results to the report in `file`; a path that is measured again replaces the earlier one. */
export function addResults(file: string, results: readonly Result[]): void {
  const known: Result[] = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Report).results : [];
  const kept = known.filter(({ path }) => !results.some((result) => result.path === path));
  const report: Report = {
    machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${process.version}`,
    measuredAt: new Date().toISOString(),
    results: [...kept, ...results],
  };
  fs.writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
}

import fs from 'node:fs';
import { describeMachine, measuredCommit, type Machine } from './machine.ts';
import { PATHS, type Path } from './paths.ts';

/** Processor time in microseconds by process. */
export type Cpu = Record<string, number>;

/** One path of the system next to its bare parts, measured in the same run. */
export interface Result extends Path {
  /** Units a second, medians over the rounds. */
  ours: number;
  bare: number;
  floor: number | null;
  /** ours / bare */
  ratio: number;
  /** ours / floor */
  floorRatio: number | null;
  /** Microseconds of processor time a unit, by process, medians over the rounds. Load generators are not included. */
  cpuPerOp: { ours: Cpu; bare: Cpu; floor?: Cpu };
}

/** A result as it is kept, with when it was measured (ISO 8601) and at which commit. */
export interface KeptResult extends Result {
  measuredAt: string;
  commit: string;
}

/** What one part of a benchmark measured. */
export interface Measurement {
  print: () => void;
  /** Comparisons with bare parts. */
  results: Result[];
}

/** One round of one side. */
export interface Round {
  units: number;
  seconds: number;
  cpu: Cpu;
}

export const median = (values: readonly number[]) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

export const totalCpu = (cpu: Cpu) => Object.values(cpu).reduce((sum, microseconds) => sum + microseconds, 0);

/** bare / ours by processor time a unit. Like `ratio`, more is better, but other load on the machine changes it less. */
export const cpuRatio = ({ cpuPerOp }: Pick<Result, 'cpuPerOp'>) => totalCpu(cpuPerOp.bare) / totalCpu(cpuPerOp.ours);

/** Units a second, median over the rounds. */
export const rateOf = (rounds: readonly Round[]) => median(rounds.map(({ units, seconds }) => units / seconds));

/** Microseconds a unit by process, medians over the rounds. */
export const cpuPerUnit = (rounds: readonly Round[]): Cpu =>
  Object.fromEntries(Object.keys(rounds[0].cpu).map((name) => [name, median(rounds.map(({ cpu, units }) => cpu[name] / units))]));

/** The rounds of each side; of the floor, if the path has one. */
export interface Rounds<R extends Round = Round> {
  ours: readonly R[];
  bare: readonly R[];
  floor?: readonly R[];
}

export function toResult(path: Path, { ours, bare, floor }: Rounds): Result {
  const rates = { ours: rateOf(ours), bare: rateOf(bare), floor: floor ? rateOf(floor) : null };
  return {
    ...path,
    ...rates,
    ratio: rates.ours / rates.bare,
    floorRatio: rates.floor && rates.ours / rates.floor,
    cpuPerOp: { ours: cpuPerUnit(ours), bare: cpuPerUnit(bare), ...(floor ? { floor: cpuPerUnit(floor) } : {}) },
  };
}

export interface Report {
  /** The one of the latest results. */
  machine: Machine;
  results: KeptResult[];
}

/** @returns undefined if there is no such file */
export const readReport = (file: string): Report | undefined =>
  fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Report) : undefined;

/** In the order in which `PATHS` names them; what it does not name, last. */
function inOrder(results: readonly KeptResult[]): KeptResult[] {
  const names = Object.values(PATHS).map(({ path }) => path);
  const place = ({ path }: KeptResult) => (names.includes(path) ? names.indexOf(path) : names.length);
  return results.toSorted((a, b) => place(a) - place(b));
}

/** Prints measurements and adds their results to the report in `file`, if one is given; a path that is measured again replaces the earlier one. */
export async function publish(measurements: readonly Measurement[], file: string | undefined): Promise<void> {
  for (const { print } of measurements) print();
  if (!file) return;
  const when = { measuredAt: new Date().toISOString(), commit: measuredCommit() };
  const results = measurements.flatMap((measurement) => measurement.results.map((result) => ({ ...result, ...when })));
  const kept = readReport(file)?.results.filter(({ path }) => !results.some((result) => result.path === path)) ?? [];
  const report: Report = { machine: await describeMachine(), results: inOrder([...kept, ...results]) };
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
  fs.writeFileSync(file, `${JSON.stringify(report, rounded, 2)}\n`);
}

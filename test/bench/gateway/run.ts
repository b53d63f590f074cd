// npm run bench -- [--quick] [--only=status,join,create] [--rounds=N] [--seconds=N] [--profile=<folder>] [--json=<file>]
// Compares our services with the bare parts that they consist of, in one run. It asserts no times; a failed request is a failure.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cpuOf, memoryOf, difference, type Pids } from '../load/processes.ts';
import { findWrk, wrk, type Outcome } from '../load/wrk.ts';
import { PATHS, type Path } from '../results/paths.ts';
import { publish, toResult, type Measurement, type Rounds } from '../results/results.ts';
import { printMemory, printSeries } from './report.ts';
import { Sides } from './sides.ts';

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    only: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    profile: { type: 'string' },
    json: { type: 'string' },
  },
});
const ROUNDS = Number(flags.rounds ?? (flags.quick ? 2 : 4));
const SECONDS = Number(flags.seconds ?? (flags.quick ? 1 : 4));
const WARM_UP_SECONDS = flags.quick ? 1 : 3;
/** A warm-up is repeated until so many are done: on a busy machine, a second would leave code that is not compiled yet. */
const WARM_UP_REQUESTS = flags.quick ? { status: 2_000, join: 2_000, create: 200 } : { status: 10_000, join: 10_000, create: 2_000 };
const MOST_WARM_UPS = 30;
const CREATE_ROUNDS = Number(flags.rounds ?? (flags.quick ? 1 : 3));
/** Short, because LiveKit keeps 190 kB for each room. */
const CREATE_SECONDS = flags.quick ? 1 : 2;
const CREATE_WARM_UP_SECONDS = flags.quick ? 1 : 4;
/** One at a time creates too few rooms in a short round for a stable result. */
const CREATE_CONNECTIONS = flags.quick ? [16] : [1, 16];
const WORKS = (flags.only ?? 'status,join,create').split(',');
const CONNECTIONS = 32;
/** Pause between two loads, so that outbox, webhooks and garbage collection finish. */
const REST_MS = 300;

const begun = Date.now();
const say = (line: string) => console.log(`[${((Date.now() - begun) / 1000).toFixed(0).padStart(3)} s] ${line}`);

/** `cpu`: microseconds by process */
export type Measured = Outcome & { cpu: Record<string, number> };

/** The floor: bare parts that do all the work of the path, where `bare` does less. */
type Side = 'ours' | 'bare' | 'floor';
export type Series = Record<'ours' | 'bare', Measured[]> & { floor?: Measured[] };
type SideRuns = Record<'ours' | 'bare', (round: number) => Promise<Measured>> & { floor?: (round: number) => Promise<Measured> };

async function measure(pids: Pids, what: string, load: () => Promise<Outcome>): Promise<Measured> {
  await sleep(REST_MS);
  const before = cpuOf(pids);
  const outcome = await load();
  const cpu = difference(before, cpuOf(pids));
  const { requests, seconds, refused, broken } = outcome;
  say(`${what}: ${Math.round(requests / seconds)}/s`);
  if (requests === 0 || refused + broken > 0) throw new Error(`${what}: ${requests} requests, ${refused} refused, ${broken} broken`);
  return { ...outcome, cpu };
}

async function warmUp(kind: keyof typeof WARM_UP_REQUESTS, side: Side, load: (turn: number) => Promise<Outcome>) {
  say(`${kind}, ${side}, warming up`);
  for (let turn = 1, made = 0; made < WARM_UP_REQUESTS[kind] && turn <= MOST_WARM_UPS; turn += 1) made += (await load(turn)).requests;
}

/** The order of the sides is reversed in every other round. */
async function interleave(rounds: number, { ours, bare, floor }: SideRuns): Promise<Series> {
  const series: Required<Series> = { ours: [], bare: [], floor: [] };
  const runs: [Side, (round: number) => Promise<Measured>][] = [
    ['bare', bare],
    ...(floor ? [['floor', floor] as [Side, typeof floor]] : []),
    ['ours', ours],
  ];
  for (let round = 1; round <= rounds; round += 1) {
    for (const [side, run] of round % 2 ? runs : runs.toReversed()) series[side].push(await run(round));
  }
  return floor ? series : { ours: series.ours, bare: series.bare };
}

async function requests(sides: Sides, kind: 'status' | 'join', signal: AbortSignal) {
  const pids = sides.pids(kind);
  const urls = { ours: sides.ours.urls.gateway, bare: sides.bareUrl };
  const load = (side: 'ours' | 'bare', seconds: number) =>
    wrk({ url: urls[side], seconds, connections: CONNECTIONS, args: sides.loadArgs(side, kind), signal });
  for (const side of ['ours', 'bare'] as const) await warmUp(kind, side, () => load(side, WARM_UP_SECONDS));
  const one = (side: 'ours' | 'bare') => (round: number) =>
    measure(pids[side], `${kind}, ${side}, round ${round} of ${ROUNDS}`, () => load(side, SECONDS));
  return interleave(ROUNDS, { ours: one('ours'), bare: one('bare') });
}

/** @returns the series by number of connections */
async function creations(sides: Sides, signal: AbortSignal): Promise<[number, Series][]> {
  const pids = sides.pids('create');
  const url = sides.ours.urls.gateway;
  const loadBare = (withRows: boolean) => async (connections: number, seconds: number, prefix: string) => {
    const answer = once(sides.bareCreate, 'message', { signal });
    sides.bareCreate.send({ connections, seconds, prefix, withRows });
    return (await answer)[0] as Outcome;
  };
  const loads: Record<Side, (connections: number, seconds: number, prefix: string) => Promise<Outcome>> = {
    ours: (connections, seconds, prefix) => wrk({ url, seconds, connections, args: sides.loadArgs('ours', 'create', prefix), signal }),
    bare: loadBare(false),
    floor: loadBare(true),
  };
  const most = Math.max(...CREATE_CONNECTIONS);
  for (const side of ['ours', 'bare', 'floor'] as const) {
    await warmUp('create', side, (turn) => loads[side](most, CREATE_WARM_UP_SECONDS, `warm-up-${side}-${turn}`));
  }
  const all: [number, Series][] = [];
  for (const connections of CREATE_CONNECTIONS) {
    const one = (side: Side) => (round: number) =>
      measure(pids[side] ?? {}, `create at c=${connections}, ${side}, round ${round} of ${CREATE_ROUNDS}`, () =>
        loads[side](connections, CREATE_SECONDS, `${side}-${connections}-${round}`),
      );
    all.push([connections, await interleave(CREATE_ROUNDS, { ours: one('ours'), bare: one('bare'), floor: one('floor') })]);
  }
  return all;
}

const roundsOf = ({ ours, bare, floor }: Series): Rounds => {
  const toRounds = (all: Measured[]) => all.map(({ requests: units, seconds, cpu }) => ({ units, seconds, cpu }));
  return { ours: toRounds(ours), bare: toRounds(bare), ...(floor ? { floor: toRounds(floor) } : {}) };
};

async function run(sides: Sides, signal: AbortSignal) {
  // Before the start of the stack, which takes long.
  await findWrk();
  say('starting the stack and the bare counterpart');
  await sides.start();
  const [status, create] = [sides.pids('status'), sides.pids('create')];
  const memory = () => ({ ours: memoryOf(create.ours), bare: memoryOf({ ...status.bare, ...create.bare }) });
  const before = memory();
  const done: Measurement[] = [];
  const add = (path: Path, title: string, series: Series) => {
    const result = toResult(path, roundsOf(series));
    done.push({ print: () => printSeries(title, result, series), results: [result] });
  };
  for (const kind of ['status', 'join'] as const) {
    if (WORKS.includes(kind)) add(PATHS[kind], `${CONNECTIONS} connections`, await requests(sides, kind, signal));
  }
  if (WORKS.includes('create')) {
    for (const [connections, series] of await creations(sides, signal))
      add(connections === 1 ? PATHS.createAlone : PATHS.createTogether, "next to createRoom of LiveKit's SDK", series);
  }
  const after = memory();
  await publish(done, flags.json);
  printMemory(before, after);
}

async function main() {
  const abort = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => abort.abort(new Error(`interrupted by ${name}`)));
  const sides = new Sides({ signal: abort.signal, profile: flags.profile });
  try {
    await run(sides, abort.signal);
  } catch (error) {
    const why = abort.signal.aborted ? abort.signal.reason : error;
    console.error(`The benchmark failed: ${why instanceof Error ? why.message : why}`);
    process.exitCode = 1;
  } finally {
    await sides.stop();
    say('ended');
  }
}

void main();

// Sends webhooks through gateway, room and billing until the last one is a session, compared with JetStream and one insert per event.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf, difference } from '../load/processes.ts';
import { PATHS } from '../results/paths.ts';
import { cells, printTable, thousands } from '../results/print.ts';
import { cpuPerUnit, median, rateOf, toResult, type Measurement, type Result, type Round } from '../results/results.ts';
import { sendAll } from './requests.ts';
import { joinsAndLeaves, toRequests } from './webhooks.ts';
import type { BenchStack } from './stack.ts';
import type { ChildProcess } from 'node:child_process';

const ORGANIZATION = 'bench-fold';
/** Rounds before the first one that counts. A process needs some thousand events until its code is compiled. */
const WARM_UP_ROUNDS = 4;
const REST_MS = 500;

/** `steps`: seconds until each step ended */
export interface FoldRound extends Round {
  steps: Record<string, number>;
}

/** `bare` gets the events directly, the floor as signed webhooks. */
type Side = 'ours' | 'bare' | 'floor';

/** A program of the bare parts, and the port on which it receives webhooks. */
interface Bare {
  process: ChildProcess;
  port: number;
}

/** LiveKit sends the webhooks of a room one after the other, and those of different rooms at the same time. */
export async function measureFold(
  bench: BenchStack,
  { rooms, people, rounds: count, say }: { rooms: number; people: number; rounds: number; say: (line: string) => void },
): Promise<Measurement> {
  const { process: child, ready } = await bench.spawn('bare-fold.ts');
  const bare = { process: child, port: (ready as { port: number }).port };
  await bench.makeOrganizations([ORGANIZATION]);
  const { livekitApiKey: key, livekitApiSecret: secret } = bench.stack.secrets;
  const round = async (name: string): Promise<Record<Side, () => Promise<FoldRound>>> => {
    const names = Array.from({ length: rooms }, (_, number) => `${name}-${number}`);
    const sids = [...(await bench.makeRooms(ORGANIZATION, names)).values()];
    const bodies = joinsAndLeaves(sids, people);
    const requests = toRequests({ key, secret }, bodies);
    return {
      bare: () => bareRound(bench, bare, rooms, bodies),
      floor: () => bareRound(bench, bare, rooms, requests),
      ours: () => fold(bench, sids, requests),
    };
  };
  for (let number = 1; number <= WARM_UP_ROUNDS; number += 1) {
    const warmUp = await round(`warm-up-${number}`);
    for (const run of Object.values(warmUp)) await run();
  }
  const all: Record<Side, FoldRound[]> = { bare: [], floor: [], ours: [] };
  for (let number = 1; number <= count; number += 1) {
    const next = await round(`round-${number}`);
    for (const side of Object.keys(next) as Side[]) {
      await sleep(REST_MS);
      all[side].push(await next[side]());
    }
    const rates = Object.entries(all).map(([side, it]) => `${side} ${thousands(rateOf([it[number - 1]]))}/s`);
    say(`fold, round ${number} of ${count}: ${rates.join(', ')}`);
  }
  const result = toResult(PATHS.fold, all);
  return { print: () => print(all, result), results: [result] };
}

async function fold(bench: BenchStack, sids: string[], requests: Buffer[]): Promise<FoldRound> {
  const before = cpuOf(bench.pids());
  const started = performance.now();
  const count = async (text: string) => (await bench.sql(text, [sids]))[0].count;
  const stored = sendAll(bench.gatewayPort, requests, sids.length).then(() => performance.now() - started);
  const present = bench.until(
    async () =>
      (await count('SELECT count(*)::int AS count FROM room.connections_by_month WHERE sid = ANY($1) AND is_final')) * 2 ===
      requests.length,
    started,
    'the presence',
  );
  const [storedMs, presentMs] = await Promise.all([stored, present]);
  // Checks versions, not only the count: each interval must be present in its latest version.
  const foldedMs = await bench.until(
    async () =>
      (await count(`SELECT count(*)::int AS count FROM room.connections_by_month c LEFT JOIN billing.sessions_by_month s USING (connection_sid)
                   WHERE c.sid = ANY($1) AND s.version IS DISTINCT FROM c.version`)) === 0,
    started,
    'the fold',
  );
  const steps = { stored: storedMs / 1000, present: presentMs / 1000, folded: foldedMs / 1000 };
  return { units: requests.length, seconds: foldedMs / 1000, steps, cpu: difference(before, cpuOf(bench.pids())) };
}

/** @param events bodies to publish, or requests to send */
async function bareRound(bench: BenchStack, bare: Bare, publishers: number, events: string[] | Buffer[]): Promise<FoldRound> {
  const { nats, postgres } = bench.pids();
  const pids = { nats, postgres, 'bare process': bare.process.pid ?? 0 };
  const before = cpuOf(pids);
  const answer = once(bare.process, 'message', { signal: bench.options.signal });
  const [first] = events;
  const bodies = typeof first === 'string' ? { bodies: events } : {};
  bare.process.send({ publishers, count: events.length, ...bodies });
  if (typeof first !== 'string') await sendAll(bare.port, events as Buffer[], publishers);
  const [{ seconds, published }] = await answer;
  return { units: events.length, seconds, steps: { stored: published, folded: seconds }, cpu: difference(before, cpuOf(pids)) };
}

function print({ ours, bare, floor }: Record<Side, FoldRound[]>, { ratio, floorRatio, target, floorTarget }: Result) {
  const processes = ['gateway', 'room', 'billing', 'organization', 'bare process', 'nats', 'redis', 'postgres'];
  const row = (name: string, rounds: FoldRound[]) => {
    const step = (of: string) =>
      median(rounds.map((it) => it.steps[of] ?? NaN))
        .toFixed(2)
        .replace('NaN', '-');
    return [name, thousands(rateOf(rounds)), step('stored'), step('present'), step('folded'), ...cells(processes, cpuPerUnit(rounds))];
  };
  printTable(
    `participant events: webhook to session, ${thousands(ours[0].units)} a round (seconds to the end of each step; CPU in µs an event)`,
    [
      ['', 'events/s', 'stored', 'present', 'folded', ...processes],
      row('ours', ours),
      row('bare', bare),
      row('floor: bare, with HTTP and signature', floor),
    ],
  );
  console.log(
    `  ours / bare rate: ${ratio.toFixed(2)} (aim ${target?.toFixed(2)}); ours / floor: ${floorRatio?.toFixed(2)} (aim ${floorTarget?.toFixed(2)})`,
  );
}

// Sends webhooks through gateway, room and billing until the last one is a session, compared with JetStream and one insert per event.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf, difference } from '../load/processes.ts';
import { PATHS } from '../results/paths.ts';
import { cells, printTable, thousands } from '../results/print.ts';
import { cpuPerUnit, median, rateOf, toResult, type Measurement, type Round } from '../results/results.ts';
import { sendAll } from './requests.ts';
import { joinsAndLeaves, toRequests } from './webhooks.ts';
import type { BenchStack } from './stack.ts';
import type { ChildProcess } from 'node:child_process';

const ORGANIZATION = 'bench-fold';
const CONNECTIONS = 16;
/** Rounds before the first one that counts. A process needs some thousand events until its code is compiled. */
const WARM_UP_ROUNDS = 2;
const REST_MS = 500;

/** `steps`: seconds until each step ended */
export interface FoldRound extends Round {
  steps: Record<string, number>;
}

export async function measureFold(
  bench: BenchStack,
  { rooms, people, rounds: count, say }: { rooms: number; people: number; rounds: number; say: (line: string) => void },
): Promise<Measurement> {
  const bare = await bench.spawn('bare-fold.ts');
  await bench.makeOrganizations([ORGANIZATION]);
  const { livekitApiKey: key, livekitApiSecret: secret } = bench.stack.secrets;
  const ours = async (name: string, each: number) => {
    const sids = [
      ...(
        await bench.makeRooms(
          ORGANIZATION,
          Array.from({ length: rooms }, (_, number) => `${name}-${number}`),
        )
      ).values(),
    ];
    const bodies = joinsAndLeaves(sids, each);
    const requests = toRequests({ key, secret }, bodies);
    return { bodies, run: () => fold(bench, sids, requests) };
  };
  for (let round = 1; round <= WARM_UP_ROUNDS; round += 1) {
    const warmUp = await ours(`warm-up-${round}`, people);
    await bareRound(bench, bare, warmUp.bodies);
    await warmUp.run();
  }
  const all: Record<'ours' | 'bare', FoldRound[]> = { ours: [], bare: [] };
  for (let round = 1; round <= count; round += 1) {
    const next = await ours(`round-${round}`, people);
    await sleep(REST_MS);
    all.bare.push(await bareRound(bench, bare, next.bodies));
    await sleep(REST_MS);
    all.ours.push(await next.run());
    say(
      `fold, round ${round} of ${count}: ${Object.entries(all)
        .map(([side, it]) => `${side} ${thousands(rateOf([it[round - 1]]))}/s`)
        .join(', ')}`,
    );
  }
  return { print: () => print(all), results: [toResult(PATHS.fold, all)] };
}

async function fold(bench: BenchStack, sids: string[], requests: Buffer[]): Promise<FoldRound> {
  const before = cpuOf(bench.pids());
  const started = performance.now();
  const count = async (text: string) => (await bench.sql(text, [sids]))[0].count;
  const stored = sendAll(bench.gatewayPort, requests, CONNECTIONS).then(() => performance.now() - started);
  const present = bench.until(
    async () =>
      (await count('SELECT count(*)::int AS count FROM room.connections WHERE sid = ANY($1) AND is_final')) * 2 === requests.length,
    started,
    'the presence',
  );
  const [storedMs, presentMs] = await Promise.all([stored, present]);
  // Checks versions, not only the count: each interval must be present in its latest version.
  const foldedMs = await bench.until(
    async () =>
      (await count(`SELECT count(*)::int AS count FROM room.connections c LEFT JOIN billing.sessions s USING (connection_sid)
                   WHERE c.sid = ANY($1) AND s.version IS DISTINCT FROM c.version`)) === 0,
    started,
    'the fold',
  );
  const steps = { stored: storedMs / 1000, present: presentMs / 1000, folded: foldedMs / 1000 };
  return { units: requests.length, seconds: foldedMs / 1000, steps, cpu: difference(before, cpuOf(bench.pids())) };
}

async function bareRound(bench: BenchStack, bare: ChildProcess, bodies: string[]): Promise<FoldRound> {
  const { nats, postgres } = bench.pids();
  const pids = { nats, postgres, 'bare process': bare.pid ?? 0 };
  const before = cpuOf(pids);
  const answer = once(bare, 'message', { signal: bench.options.signal });
  bare.send(bodies);
  const [{ seconds, published }] = await answer;
  return { units: bodies.length, seconds, steps: { stored: published, folded: seconds }, cpu: difference(before, cpuOf(pids)) };
}

function print({ ours, bare }: Record<'ours' | 'bare', FoldRound[]>) {
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
    [['', 'events/s', 'stored', 'present', 'folded', ...processes], row('ours', ours), row('bare', bare)],
  );
  console.log(`  ours / bare rate: ${(rateOf(ours) / rateOf(bare)).toFixed(2)}`);
}

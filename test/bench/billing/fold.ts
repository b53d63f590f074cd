// Sends webhooks through gateway, room and billing until the last one is a session, compared with JetStream and one insert per event.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf, difference } from '../load/processes.ts';
import { median, toResult } from '../load/results.ts';
import { sendAll } from './requests.ts';
import { joinsAndLeaves, toRequests } from './webhooks.ts';
import { printTable, thousands } from './print.ts';
import type { Measurement } from './measurement.ts';
import type { BenchStack } from './stack.ts';
import type { ChildProcess } from 'node:child_process';

const ORGANIZATION = 'bench-fold';
const CONNECTIONS = 16;
const WARM_UP_PEOPLE = 4;
const REST_MS = 500;

/** `steps`: seconds until each step ended */
export interface Round {
  events: number;
  seconds: number;
  steps: Record<string, number>;
  cpu: Record<string, number>;
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
  const warmUp = await ours('warm-up', WARM_UP_PEOPLE);
  await warmUp.run();
  await bareRound(bench, bare, warmUp.bodies);
  const all: Record<'ours' | 'bare', Round[]> = { ours: [], bare: [] };
  for (let round = 1; round <= count; round += 1) {
    const next = await ours(`round-${round}`, people);
    await sleep(REST_MS);
    all.bare.push(await bareRound(bench, bare, next.bodies));
    await sleep(REST_MS);
    all.ours.push(await next.run());
    say(
      `fold, round ${round} of ${count}: ${Object.entries(all)
        .map(([side, it]) => `${side} ${thousands(rate(it[round - 1]))}/s`)
        .join(', ')}`,
    );
  }
  const rounds = (side: Round[]) => side.map(({ events: units, seconds, cpu }) => ({ units, seconds, cpu }));
  const head = { path: 'webhook to session', unit: 'events', target: 0.8 };
  return { print: () => print(all), results: [toResult(head, { ours: rounds(all.ours), bare: rounds(all.bare) })] };
}

async function fold(bench: BenchStack, sids: string[], requests: Buffer[]): Promise<Round> {
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
  return { events: requests.length, seconds: foldedMs / 1000, steps, cpu: difference(before, cpuOf(bench.pids())) };
}

async function bareRound(bench: BenchStack, bare: ChildProcess, bodies: string[]): Promise<Round> {
  const { nats, postgres } = bench.pids();
  const pids = { nats, postgres, 'bare process': bare.pid ?? 0 };
  const before = cpuOf(pids);
  const answer = once(bare, 'message', { signal: bench.options.signal });
  bare.send(bodies);
  const [{ seconds, published }] = await answer;
  return { events: bodies.length, seconds, steps: { stored: published, folded: seconds }, cpu: difference(before, cpuOf(pids)) };
}

const rate = ({ events, seconds }: Round) => events / seconds;

function print({ ours, bare }: Record<'ours' | 'bare', Round[]>) {
  const processes = ['gateway', 'room', 'billing', 'bare process', 'nats', 'redis', 'postgres'];
  const row = (name: string, rounds: Round[]) => {
    const step = (of: string) =>
      median(rounds.map((it) => it.steps[of] ?? NaN))
        .toFixed(2)
        .replace('NaN', '-');
    const events = rounds.reduce((sum, it) => sum + it.events, 0);
    const cpu = processes.map((of) => (of in rounds[0].cpu ? (rounds.reduce((sum, it) => sum + it.cpu[of], 0) / events).toFixed(0) : '-'));
    return [name, thousands(median(rounds.map(rate))), step('stored'), step('present'), step('folded'), ...cpu];
  };
  printTable(
    `participant events: webhook to session, ${thousands(ours[0].events)} a round (seconds to the end of each step; CPU in µs an event)`,
    [['', 'events/s', 'stored', 'present', 'folded', ...processes], row('ours', ours), row('bare', bare)],
  );
  console.log(`  ours / bare rate: ${(median(ours.map(rate)) / median(bare.map(rate))).toFixed(2)}`);
}

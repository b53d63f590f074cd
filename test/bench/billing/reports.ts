// Requests the same reports about the same participant and class while the history around them grows.
import { percentile, printTable, thousands } from '../results/print.ts';
import { median } from '../results/results.ts';
import { request, sendAll } from './requests.ts';
import { makeHistory, ATTENDEES, FROM, ORGANIZATION, PARTICIPANT, ROOM, SESSIONS_OF_PARTICIPANT, TO } from './history.ts';
import type { BenchStack } from './stack.ts';

const TARGET = 1.5;
const WARM_UP = 60;
const headers = { 'VF-ORG-ID': ORGANIZATION };
const days = { startDate: FROM.toISOString(), endDate: TO.toISOString() };

/** `status` reads nothing from billing: if it changes, the machine is the cause. */
const KINDS = {
  'sessions, grouped': request('POST', '/v1/participant/sessions', headers, { uid: PARTICIPANT, ...days }),
  'sessions, one room': request('POST', '/v1/participant/sessions', headers, { uid: PARTICIPANT, roomId: 'own-7', ...days }),
  balance: request('GET', '/v1/billing/balance', headers),
  attendance: request('GET', `/v1/room/${ROOM}/attendance`, headers),
  '(room status)': request('GET', `/v1/room/${ROOM}/status`, headers),
};

/** Results by kind of request. */
type BySize = Record<string, { p50: number; p99: number }>;

interface Plan {
  /** The measured organization. */
  organizationId: string;
  sizes: number[];
  rounds: number;
  requests: number;
  say: (line: string) => void;
  /** Runs after each size has been measured. */
  between: (size: number) => Promise<void>;
}

export async function measureReports(bench: BenchStack, { organizationId, sizes, rounds, requests, say, between }: Plan) {
  const sid = (await bench.makeRooms(ORGANIZATION, [ROOM])).get(ROOM) ?? '';
  const results = new Map<number, BySize>();
  for (const size of sizes) {
    const started = performance.now();
    await makeHistory(bench, size, organizationId, sid);
    say(`${thousands(size)} sessions loaded in ${((performance.now() - started) / 1000).toFixed(0)} s`);
    await check(bench);
    if (rounds > 0) {
      results.set(size, await measureOnce(bench, rounds, requests));
      say(`reports measured at ${thousands(size)} sessions`);
    }
    await between(size);
  }
  return () => (rounds > 0 ? print(results) : undefined);
}

/** Checks that the answers match the history: a fast wrong answer does not count. */
async function check(bench: BenchStack) {
  const sessions = (await bench.call('POST', '/v1/participant/sessions', headers, { uid: PARTICIPANT, ...days })) as {
    data: { summary: { totalSessions: number } };
  };
  const attendance = (await bench.call('GET', `/v1/room/${ROOM}/attendance`, headers)) as { data: { totalParticipants: number } };
  const found = [sessions.data.summary.totalSessions, attendance.data.totalParticipants];
  const wanted = [SESSIONS_OF_PARTICIPANT, ATTENDEES];
  if (found.join() !== wanted.join()) throw new Error(`the reports found ${found} and not ${wanted}`);
}

/** Measures the kinds in turns. p99 is the median of the rounds' p99, so that a single hiccup of the machine does not count. */
async function measureOnce(bench: BenchStack, rounds: number, requests: number) {
  const took: Record<string, number[][]> = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, []]));
  for (const bytes of Object.values(KINDS)) await sendAll(bench.gatewayPort, Array(WARM_UP).fill(bytes), 1);
  for (let round = 0; round < rounds; round += 1) {
    for (const [kind, bytes] of Object.entries(KINDS)) took[kind].push(await sendAll(bench.gatewayPort, Array(requests).fill(bytes), 1));
  }
  return Object.fromEntries(
    Object.entries(took).map(([kind, all]) => [kind, { p50: median(all.flat()), p99: median(all.map((one) => percentile(one, 0.99))) }]),
  );
}

function print(results: Map<number, BySize>) {
  const sizes = [...results.keys()];
  const [first, last] = [results.get(sizes[0]), results.get(sizes.at(-1) as number)];
  const heads = sizes.flatMap((size) => [`p50 ${thousands(size)}`, 'p99']);
  const rows = Object.keys(KINDS).map((kind) => {
    const cells = sizes.flatMap((size) => [results.get(size)?.[kind].p50, results.get(size)?.[kind].p99].map((it) => (it ?? 0).toFixed(1)));
    const ratio = (of: 'p50' | 'p99') => ((last?.[kind][of] ?? 0) / (first?.[kind][of] ?? 1)).toFixed(2);
    return [kind, ...cells, ratio('p50'), ratio('p99')];
  });
  printTable(`reports and balance, ms; ratio of the largest history to the smallest (aim: p99 at most ${TARGET})`, [
    ['', ...heads, 'p50 ratio', 'p99 ratio'],
    ...rows,
  ]);
}

// Makes one minute of very many live classes due at the same time: one large organization, a thousand small ones.
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf, difference, ownCpu } from '../load/processes.ts';
import { PATHS } from '../results/paths.ts';
import { cells, printTable, thousands } from '../results/print.ts';
import { cpuPerUnit, rateOf, toResult, type Cpu, type Measurement, type Round } from '../results/results.ts';
import { copyTables, writeCharges } from './bare-charges.ts';
import type { BenchStack } from './stack.ts';

const LARGE = 'bench-large';
const SMALL = Array.from({ length: 1000 }, (_, number) => `bench-small-${number}`);
const PEOPLE = 3;
/** The same value as in roll-up.ts. */
const BATCH = 500;
const REST_MS = 700;

/** ids of organizations */
export type Groups = Record<'large' | 'small', string[]>;

/** @param options number of meters of the large organization and of each small one */
export async function measureCharges(
  bench: BenchStack,
  { large, small, rounds, say }: { large: number; small: number; rounds: number; say: (line: string) => void },
): Promise<Measurement> {
  const [largeId, ...smallIds] = await bench.makeOrganizations([LARGE, ...SMALL]);
  await makeMeters(bench, [largeId], large);
  await makeMeters(bench, smallIds, small);
  await copyTables(bench);
  await bench.sql('VACUUM (ANALYZE) billing.room_meters, billing.sessions_by_month, bench_charges.room_meters, bench_charges.accounts');
  say(`${thousands(large)} meters of one organization and ${small} of each of ${thousands(SMALL.length)} made`);
  const client = await bench.connect();
  const groups = { large: [largeId], small: smallIds };
  const batches = { large: toBatches([largeId], large), small: toBatches(smallIds, small) };
  const all: Record<keyof Groups, Record<'ours' | 'bare', Round[]>> = { large: { ours: [], bare: [] }, small: { ours: [], bare: [] } };
  const posted: Round[] = [];
  let sequence = 0;
  try {
    for (let round = 0; round <= rounds; round += 1) {
      sequence += 1;
      for (const name of ['large', 'small'] as const) {
        const ours = await charge(bench, { [name]: groups[name] });
        const bare = await measured(bareCpu(bench), async () => {
          await writeCharges(client, batches[name], sequence);
          return batches[name].reduce((sum, it) => sum + it.meters.length, 0);
        });
        // The first round is a warm-up.
        if (round === 0) continue;
        all[name].ours.push(ours.round);
        if (name === 'large') posted.push(ours.posted);
        all[name].bare.push(bare);
      }
      say(`charges, round ${round} of ${rounds}`);
    }
    const together = await charge(bench, groups);
    const results = [
      toResult(PATHS.chargesLarge, all.large),
      toResult(PATHS.chargesPosted, { ours: posted, bare: all.large.bare }),
      toResult(PATHS.chargesSmall, all.small),
    ];
    return { print: () => print(all, posted, together), results };
  } finally {
    await client.end();
  }
}

/** Creates live classes with participants. Each round advances them by a minute. */
async function makeMeters(bench: BenchStack, organizations: string[], each: number) {
  const sid = `'RM_' || o || '-' || r`;
  await bench.sql(
    `INSERT INTO billing.room_meters (sid, organization_id, room_id, title, started_at, verified_at)
     SELECT ${sid}, o, 'live-' || r, 'Live class', date_trunc('second', now()), date_trunc('second', now()) FROM unnest($1::text[]) AS o, generate_series(1, $2::int) AS r`,
    [organizations, each],
  );
  await bench.sql(
    `INSERT INTO billing.sessions_by_month (connection_sid, sid, organization_id, uid, name, role, joined_at, opened_by, version, month)
     SELECT 'PA_' || o || '-' || r || '-' || p, ${sid}, o, 'student-' || p, 'Student', 'STUDENT', date_trunc('second', now()), 'webhook', 1, billing.session_month(now())
       FROM unnest($1::text[]) AS o, generate_series(1, $2::int) AS r, generate_series(1, ${PEOPLE}) AS p`,
    [organizations, each],
  );
}

function toBatches(organizations: string[], each: number) {
  return organizations.flatMap((organizationId) => {
    const meters = Array.from({ length: each }, (_, number) => ({
      sid: `RM_${organizationId}-${number + 1}`,
      roomId: `live-${number + 1}`,
    }));
    return Array.from({ length: Math.ceil(each / BATCH) }, (_, at) => ({
      organizationId,
      meters: meters.slice(at * BATCH, (at + 1) * BATCH),
    }));
  });
}

/** Makes all meters of the groups due and waits until none is. `posted` is the same round from the first entry. */
async function charge(bench: BenchStack, groups: Partial<Groups>) {
  const organizations = Object.values(groups).flat();
  const ends: Record<string, number> = {};
  let [begunAt, endedAt] = [0, 0];
  const round = await measured(
    () => cpuOf(bench.pids()),
    async (started) => {
      const armed = await bench.admin.query(
        `UPDATE billing.room_meters SET due_at = now(), verified_at = verified_at + interval '1 minute' WHERE organization_id = ANY($1)`,
        [organizations],
      );
      started();
      begunAt = Date.now();
      const begun = performance.now();
      await Promise.all(
        Object.entries(groups).map(async ([name, ids]) => {
          ends[name] =
            (await bench.until(
              async () =>
                (await bench.sql('SELECT 1 FROM billing.room_meters WHERE due_at <= now() AND organization_id = ANY($1) LIMIT 1', [ids]))
                  .length === 0,
              begun,
              'the roll-up',
            )) / 1000;
        }),
      );
      endedAt = Date.now();
      return armed.rowCount ?? 0;
    },
  );
  await check(bench, organizations);
  const [{ first }] = await bench.sql(
    `SELECT extract(epoch FROM min(recorded_at))::float8 * 1000 AS first FROM billing.ledger_entries
      WHERE organization_id = ANY($1) AND recorded_at >= to_timestamp($2::float8 / 1000)`,
    [organizations, begunAt],
  );
  return { round, posted: { ...round, seconds: (endedAt - first) / 1000 }, ends };
}

/** Checks that the ledger and the balances contain every credit of every session. */
async function check(bench: BenchStack, organizations: string[]) {
  const [{ owed, charged, balance }] = await bench.sql(
    `SELECT (SELECT sum(extract(epoch FROM verified_at - started_at)) / 60 * ${PEOPLE} FROM billing.room_meters WHERE organization_id = ANY($1))::int AS owed,
            (SELECT sum(credits) FROM billing.ledger_entries WHERE organization_id = ANY($1))::int AS charged,
            (SELECT -sum(balance) FROM billing.accounts WHERE organization_id = ANY($1))::int AS balance`,
    [organizations],
  );
  if (owed !== charged || owed !== balance)
    throw new Error(`${owed} credits are owed, ${charged} in the ledger, ${balance} in the balances`);
}

/** The bare writer is this process. */
function bareCpu(bench: BenchStack): () => Cpu {
  const { postgres } = bench.pids();
  return () => ({ ...cpuOf({ postgres }), 'bare process': ownCpu() });
}

/** @param work returns the number of charges; calling `started` restarts the measurement at that time */
async function measured(cpu: () => Cpu, work: (started: () => void) => Promise<number>): Promise<Round> {
  await sleep(REST_MS);
  let before = cpu();
  let begun = performance.now();
  const units = await work(() => {
    before = cpu();
    begun = performance.now();
  });
  return { units, seconds: (performance.now() - begun) / 1000, cpu: difference(before, cpu()) };
}

function print(
  all: Record<string, Record<'ours' | 'bare', Round[]>>,
  posted: Round[],
  { round: together, ends }: { round: Round; ends: Record<string, number> },
) {
  const processes = ['billing', 'room', 'organization', 'bare process', 'nats', 'redis', 'postgres'];
  const row = (name: string, rounds: Round[], ratio = '') => [
    name,
    thousands(rounds[0].units),
    thousands(rateOf(rounds)),
    ...cells(processes, cpuPerUnit(rounds)),
    ratio,
  ];
  const rows = Object.entries(all).flatMap(([name, { ours, bare }]) => [
    row(`${name}, ours`, ours, (rateOf(ours) / rateOf(bare)).toFixed(2)),
    row(`${name}, bare`, bare),
  ]);
  printTable(
    `charges: one large organization, ${thousands(SMALL.length)} small ones, each alone (CPU in µs a charge; ours waits up to 1 s for its turn)`,
    [['', 'charges', 'charges/s', ...processes, 'ours / bare'], ...rows],
  );
  console.log(
    `  large, from its first entry: ${thousands(rateOf(posted))} charges/s, ${(rateOf(posted) / rateOf(all.large.bare)).toFixed(2)} of bare`,
  );
  console.log(
    `  both at once: ${thousands(rateOf([together]))} charges/s; ${Object.entries(ends)
      .map(([name, seconds]) => `${name} after ${seconds.toFixed(1)} s`)
      .join(', ')}`,
  );
}

// npm run bench -- scale [--rooms=2000] [--people=15] [--storm=20000] [--minutes=30] [--json=<file>]
// Many live classes on the simulated LiveKit: people connect, others arrive in one minute, then the classes last some minutes and end. It asserts
// no times. It fails if a connection is lost or billed otherwise than LiveKit's record of it, or if anything still waits at the end.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectBilledTruth, expectMoneyInvariants, expectPresenceInvariants, expectTruth } from '@classroom/testing';
import { Crowd, inParallel } from './crowd.ts';
import { Sampler, type Sample } from './samples.ts';
import { ScaleStack } from './stack.ts';

const options = {
  rooms: { type: 'string' },
  people: { type: 'string' },
  storm: { type: 'string' },
  minutes: { type: 'string' },
  json: { type: 'string' },
};
const { values: flags } = parseArgs({ options: options as Record<keyof typeof options, { type: 'string' }> });
const ROOMS = Number(flags.rooms ?? 2_000);
/** People in each class before the storm. */
const PEOPLE = Number(flags.people ?? 15);
const STORM = Number(flags.storm ?? 20_000);
const STORM_MS = 60_000;
const MINUTES = Number(flags.minutes ?? 30);
const SAMPLE_MS = 10_000;
const TIMEOUT_MS = 30 * 60_000;
const SETTLE_MS = 10 * 60_000;

const begun = Date.now();
const say = (line: string) => console.log(`[${((Date.now() - begun) / 1000).toFixed(0).padStart(4)} s] ${line}`);
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

const scale = new ScaleStack();
const sampler = new Sampler(scale);
const crowd = new Crowd(scale);
const phases: Record<string, object> = {};

/** Samples while `work` runs, and prints what the phase took. @returns the result of `work` */
async function phase<T>(name: string, work: () => Promise<T>): Promise<T> {
  const samples = [await sampler.sample()];
  const over = new AbortController();
  const sampling = (async () => {
    while (!over.signal.aborted) {
      await sleep(SAMPLE_MS, undefined, { signal: over.signal }).catch(() => undefined);
      samples.push(await sampler.sample());
    }
  })();
  try {
    return await work();
  } finally {
    over.abort();
    await sampling;
    report(name, samples);
  }
}

function report(name: string, samples: readonly Sample[]): void {
  const [first, last] = [samples[0] as Sample, samples.at(-1) as Sample];
  const elapsed = last.at - first.at;
  const cores = Object.fromEntries(
    Object.entries(last.cpu).map(([process, us]) => [process, Number(((us - (first.cpu[process] ?? 0)) / 1000 / elapsed).toFixed(2))]),
  );
  const hot = Object.fromEntries(
    Object.entries(last.updates).map(([table, { all, hot: ofThem }]) => {
      const before = first.updates[table] ?? { all: 0, hot: 0 };
      return [table, { updates: all - before.all, hotShare: Number(((ofThem - before.hot) / Math.max(all - before.all, 1)).toFixed(2)) }];
    }),
  );
  const memory = Object.fromEntries(Object.entries(last.memory).map(([process, bytes]) => [process, megabytes(bytes)]));
  const result = {
    seconds: Number((elapsed / 1000).toFixed(1)),
    backlog: { most: Math.max(...samples.map(({ backlog }) => backlog)), last: last.backlog },
    verifiedAge: { most: Math.max(...samples.map(({ verifiedAge }) => verifiedAge)), last: last.verifiedAge },
    cores,
    memory,
    tables: [megabytes(first.tableBytes), megabytes(last.tableBytes)],
    streams: [megabytes(first.streamBytes), megabytes(last.streamBytes)],
    rows: last.rows,
    hot,
  };
  phases[name] = result;
  say(`${name}: ${seconds(elapsed)}\n${JSON.stringify(result)}`);
}

async function run(): Promise<void> {
  await scale.start(fs.mkdtempSync(path.join(os.tmpdir(), 'classroom-scale-')));
  say(`started on ${os.cpus().length} cores`);
  await phase(`create ${ROOMS} rooms`, () => crowd.open(ROOMS));
  let people = ROOMS * PEOPLE;
  await phase(`connect ${people} people`, async () => {
    await crowd.arrive(people, 0);
    await sampler.billed(people, TIMEOUT_MS);
  });
  if (STORM > 0) {
    people += STORM;
    await phase(`${STORM} people arrive in ${seconds(STORM_MS)}`, async () => {
      await crowd.arrive(STORM, STORM_MS);
      say(`all are connected; billing knows them ${seconds(await sampler.billed(people, TIMEOUT_MS))} later`);
    });
  }
  await phase(`${MINUTES} minutes`, () => sleep(MINUTES * 60_000));
  await inParallel(ROOMS, (n) => expectTruth(scale.stack, scale.livekit, crowd.rooms[n]?.sid ?? ''));
  say(`the presence of ${people} people is LiveKit's record`);
  const ends = await phase('end all rooms', () => crowd.end());
  await phase('settle', () => expectMoneyInvariants(scale.stack, SETTLE_MS));
  await expectPresenceInvariants(scale.stack, SETTLE_MS);
  await inParallel(ROOMS, async (n) => {
    const { sid } = crowd.rooms[n] as { sid: string };
    await expectBilledTruth(scale.stack, scale.livekit, sid, ends.get(sid) ?? 0);
  });
  say(`every second of ${ROOMS} rooms is billed once`);
  if (flags.json) fs.writeFileSync(flags.json, `${JSON.stringify({ rooms: ROOMS, people, cores: os.cpus().length, phases }, null, 2)}\n`);
}

try {
  await run();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await sampler.close();
  await scale.stop();
}

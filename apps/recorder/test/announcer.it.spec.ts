import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JetStreamClient } from '@nats-io/jetstream';
import { SystemClock } from '@classroom/platform';
import { Announcer } from '../src/announcements/announcer.js';
import { CaptureFolder } from '../src/state/capture-folder.js';
import type { KeptJob } from '../src/state/progress.js';

const job = { egressId: 'EG_abcdefgh', sid: 'RM_aaaaaaaaaaaaaaaa', objectKey: 'k', layout: 'grid' } as KeptJob;

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'recorder-'));
});
afterEach(() => rm(home, { recursive: true }));

/** A stream that first rejects `refusals` messages. */
function stream(refusals: number): { heard: string[]; announcer: Announcer } {
  const heard: string[] = [];
  let left = refusals;
  const publish = async (_: string, __: string, { msgID }: { msgID: string }) => {
    if (left-- > 0) throw new Error('NATS unreachable');
    heard.push(msgID);
  };
  return { heard, announcer: new Announcer({ publish } as unknown as JetStreamClient, new SystemClock()) };
}

const ids = (...steps: string[]) => steps.map((step) => `EV_${job.egressId}_${step}`);

test('events that could not be published are published again, in order', async () => {
  const { heard, announcer } = stream(2);
  const folder = await CaptureFolder.create(home, job, Date.now(), {});
  announcer.start();
  await announcer.follow(folder);
  for (const step of ['started', 'active', 'ending', 'ended'] as const) await announcer.say(step, folder);
  await announcer.published(folder);
  expect(heard).toEqual(ids('started', 'active', 'ending', 'ended'));
  expect(await folder.pendingEvents()).toEqual([]);
  await announcer.stop();
});

test('events of a dead process are published by the next one, before new ones', async () => {
  const away = stream(Infinity);
  const folder = await CaptureFolder.create(home, job, Date.now(), {});
  await away.announcer.follow(folder);
  await away.announcer.say('started', folder);
  await away.announcer.say('active', folder);

  // Its own process is alive, so another recorder sees the folder as taken.
  expect(await CaptureFolder.leftBehind(home)).toEqual([]);
  const back = stream(0);
  await back.announcer.follow(folder);
  await back.announcer.say('ending', folder);
  back.announcer.start();
  await back.announcer.published(folder);
  expect(back.heard).toEqual(ids('started', 'active', 'ending'));
  await back.announcer.stop();
});

test('a folder of a job that was never accepted is deleted', async () => {
  const folder = await CaptureFolder.create(home, job, Date.now(), {});
  await rm(join(folder.path, 'job.json'));
  expect(await CaptureFolder.leftBehind(home)).toEqual([]);
  expect(await readdir(home)).toEqual([]);
});

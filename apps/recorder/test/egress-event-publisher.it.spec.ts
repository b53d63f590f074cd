import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message, StreamPublisher } from '@classroom/messaging';
import { SystemClock } from '@classroom/platform';
import { EgressEventPublisher } from '../src/captures/egress-event-publisher.js';
import { CaptureFolder } from '../src/state/capture-folder.js';
import type { StoredJob } from '../src/state/progress.js';

const job = { egressId: 'EG_abcdefgh', sid: 'RM_aaaaaaaaaaaaaaaa', objectKey: 'k', layout: 'grid' } as StoredJob;

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'recorder-'));
});
afterEach(() => rm(home, { recursive: true }));

/** A stream that first rejects `refusals` messages. */
function stream(refusals: number): { publishedIds: string[]; eventPublisher: EgressEventPublisher } {
  const publishedIds: string[] = [];
  let left = refusals;
  const publish = async ({ id }: Message) => {
    if (left-- > 0) throw new Error('NATS unreachable');
    publishedIds.push(id);
  };
  return { publishedIds, eventPublisher: new EgressEventPublisher({ publish } as unknown as StreamPublisher, new SystemClock()) };
}

const ids = (...steps: string[]) => steps.map((step) => `EV_${job.egressId}_${step}`);

test('events that could not be published are published again, in order', async () => {
  const { publishedIds, eventPublisher } = stream(2);
  const folder = await CaptureFolder.create(home, job, { acceptedAt: Date.now() }, {});
  eventPublisher.start();
  await eventPublisher.register(folder);
  for (const step of ['started', 'active', 'ending', 'ended'] as const) await eventPublisher.publish(step, folder);
  await eventPublisher.flushed(folder);
  expect(publishedIds).toEqual(ids('started', 'active', 'ending', 'ended'));
  expect(await folder.pendingEvents()).toEqual([]);
  await eventPublisher.stop();
});

test('events of a dead process are published by the next one, before new ones', async () => {
  const unreachable = stream(Infinity);
  const folder = await CaptureFolder.create(home, job, { acceptedAt: Date.now() }, {});
  await unreachable.eventPublisher.register(folder);
  await unreachable.eventPublisher.publish('started', folder);
  await unreachable.eventPublisher.publish('active', folder);

  // Its own process is alive, so another recorder sees the folder as taken.
  expect(await CaptureFolder.takeOverAbandoned(home)).toEqual([]);
  const restarted = stream(0);
  await restarted.eventPublisher.register(folder);
  await restarted.eventPublisher.publish('ending', folder);
  restarted.eventPublisher.start();
  await restarted.eventPublisher.flushed(folder);
  expect(restarted.publishedIds).toEqual(ids('started', 'active', 'ending'));
  await restarted.eventPublisher.stop();
});

test('a folder of a job that was never accepted is deleted', async () => {
  const folder = await CaptureFolder.create(home, job, { acceptedAt: Date.now() }, {});
  await rm(join(folder.path, 'job.json'));
  expect(await CaptureFolder.takeOverAbandoned(home)).toEqual([]);
  expect(await readdir(home)).toEqual([]);
});

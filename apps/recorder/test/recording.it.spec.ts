/** @lane real-time */
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { CaptureJob } from '@classroom/contracts';
import { NoRespondersError } from '@classroom/messaging';
import { byForm, eventually, inLongForm, isLongForm, offsetOf, RtcParticipant, sleep } from '@classroom/testing';
import { RecorderFixture } from './support/recorder-fixture.js';

jest.setTimeout(90_000);

/**
 * How much the length of a film may differ from the time of its capture, in seconds. In the short form other tests use the machine, and the
 * browser and the encoder start and stop later.
 */
const TOLERANCE_S = byForm({ short: 4, long: 2 });

let fixture: RecorderFixture;
beforeAll(async () => {
  fixture = await RecorderFixture.start();
});
afterEach(() => fixture.emptyRooms());
afterAll(async () => {
  await fixture?.stop();
  await RtcParticipant.disposeAll();
});

const home = () => join(fixture.stack.home, 'recorder');
/** Waits until nothing of any capture is left. */
const isClean = () => eventually(async () => expect(await readdir(home())).toEqual([]));

/** Process ids of the browser that films `job`, found by the profile with which it was started. */
async function browserOf({ egressId }: CaptureJob): Promise<number[]> {
  const profile = `--user-data-dir=${join(home(), egressId)}`;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = pids.map(async (pid) => {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return command.includes(profile) && !command.includes('--type=') ? [Number(pid)] : [];
  });
  return (await Promise.all(found)).flat();
}

async function capturing(changes: Partial<CaptureJob> = {}, seconds = 2): Promise<CaptureJob> {
  const job = await fixture.job(changes);
  await fixture.start(job);
  await fixture.reaches(job, 'updated ACTIVE');
  await sleep(seconds * 1000);
  return job;
}

test('a class is recorded to a playable file, with audio and video in sync', async () => {
  const job = await fixture.job();
  expect(await fixture.start(job)).toEqual({ egressId: job.egressId });
  const active = await fixture.reaches(job, 'updated ACTIVE');
  const startedAt = Number(BigInt(active.startedAt) / 1_000_000n);
  await sleep(byForm({ short: 4_000, long: 5_000 }));
  const least = (Date.now() - startedAt) / 1000;
  await fixture.ask('stop', job);
  const ended = await fixture.reaches(job, 'ended COMPLETE');
  const most = (Date.now() - startedAt) / 1000;
  expect(fixture.eventNames(job)).toEqual(['started STARTING', 'updated ACTIVE', 'updated ENDING', 'ended COMPLETE']);

  const film = await fixture.film(job);
  expect(film.codecs).toEqual(['aac', 'h264']);
  expect(film.size).toEqual({ width: 1280, height: 720 });
  expect(film.duration).toBeGreaterThan(least - TOLERANCE_S);
  expect(film.duration).toBeLessThan(most + TOLERANCE_S);
  // In the short form other tests use the machine, on which a browser and an encoder lose frames.
  const marks = byForm({ short: 1, long: 4 });
  expect(film.flashes.length).toBeGreaterThanOrEqual(marks);
  expect(film.beeps.length).toBeGreaterThanOrEqual(marks);
  expect(film.frames.length / film.duration).toBeGreaterThan(byForm({ short: 1, long: 15 }));
  // A machine that runs all of this has occasional delays; the README has the figures of a machine that is not overloaded.
  expect(Math.abs(offsetOf(film.flashes, film.beeps))).toBeLessThan(500);

  const [file] = ended.fileResults;
  expect(file).toMatchObject({ filename: job.objectKey, size: String((await fixture.storage.head(job.objectKey))?.size) });
  expect(Number(file?.duration) / 1e9).toBeCloseTo(film.duration, 1);
  await isClean();
});

inLongForm(test)('a class is recorded to a file with its sound only', async () => {
  const job = await capturing({ audioOnly: true }, 3);
  await fixture.ask('stop', job);
  await fixture.reaches(job, 'ended COMPLETE');
  const film = await fixture.film(job);
  expect(film.codecs).toEqual(['aac']);
  expect(film.duration).toBeGreaterThan(1);
  expect(film.beeps.length).toBeGreaterThan(0);
  expect((await fixture.storage.head(job.objectKey))?.contentType).toBe('audio/mp4');
  await isClean();
});

test('a capture of a page that does not answer says so when it is stopped', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  try {
    const origin = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const connected = once(silent, 'connection');
    const job = await fixture.job({ pageUrl: `${origin}/recording` });
    await fixture.start(job);
    await connected;
    await fixture.ask('stop', job);
    const ended = await fixture.reaches(job, 'ended ABORTED');
    expect(ended.error).toBe(`stopped before the recording page was loaded from ${origin}`);
    await isClean();
  } finally {
    silent.close();
  }
});

inLongForm(test)(
  'a start without a free recorder is refused immediately, and a recorder is free as soon as its capture ended',
  async () => {
    const job = await fixture.job();
    const other = await fixture.job();
    await fixture.start(job);
    await expect(fixture.offer(other)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', cause: expect.any(NoRespondersError) });
    await fixture.reaches(job, 'updated ACTIVE');
    await fixture.ask('stop', job);
    await fixture.reaches(job, 'ended COMPLETE');
    expect(await fixture.start(other)).toEqual({ egressId: other.egressId });
    // Before anything was rendered.
    await fixture.ask('stop', other);
    expect(await fixture.reaches(other, 'ended ABORTED')).toMatchObject({
      error: expect.stringMatching(/^stopped before /),
      fileResults: [],
    });
    expect(fixture.eventNames(other)).toEqual(['started STARTING', 'ended ABORTED']);
    await isClean();
  },
);

test('a page that cannot be loaded is a failure with its reason and without the token', async () => {
  const job = await fixture.job({ pageUrl: 'http://127.0.0.1:9/recording' });
  await fixture.start(job);
  const { error } = await fixture.reaches(job, 'ended FAILED');
  expect(error).toContain('the recording page could not be loaded');
  expect(error + fixture.stack.log('recorder')).not.toContain(job.token);
  await isClean();
});

inLongForm(test)('a class is recorded to its end, also while the storage is unreachable', async () => {
  const job = await capturing();
  await fixture.stack.part('s3').stop();
  await fixture.closeRoom(job);
  await fixture.reaches(job, 'updated ENDING');
  await eventually(() => expect(fixture.stack.log('recorder')).toContain('recording upload failed; will retry'));
  expect(fixture.eventNames(job)).toHaveLength(3);
  const next = await fixture.job();
  // The upload does not hold the slot.
  await fixture.start(next);
  await fixture.stack.part('s3').start();
  await fixture.reaches(job, 'ended COMPLETE');
  expect((await fixture.film(job)).duration).toBeGreaterThan(0);
  await fixture.ask('stop', next);
  await isClean();
});

// In the short form the whole recorder is killed, below.
inLongForm(test)('a browser that dies leaves the part that was recorded', async () => {
  const job = await capturing();
  for (const pid of await browserOf(job)) process.kill(pid, 'SIGKILL');
  const { error } = await fixture.reaches(job, 'ended COMPLETE');
  expect(error).toMatch(/^the recording was cut: the browser (crashed|ended) after \d+ s$/);
  expect((await fixture.film(job)).duration).toBeGreaterThan(0);
  await isClean();
});

inLongForm(test)('a recorder that is killed leaves the part that was recorded, and no browser', async () => {
  const job = await capturing();
  await fixture.stack.app('recorder').kill();
  await eventually(async () => expect(await browserOf(job)).toEqual([]));
  await fixture.stack.app('recorder').start();
  const { error } = await fixture.reaches(job, 'ended COMPLETE');
  expect(error).toMatch(/^the recording was cut: the recorder ended unexpectedly after \d+ s$/);
  expect((await fixture.film(job)).duration).toBeGreaterThan(0);
  expect(fixture.eventNames(job)).toEqual(['started STARTING', 'updated ACTIVE', 'updated ENDING', 'ended COMPLETE']);
  await isClean();
});

inLongForm(test)('files are merged to one, also by the next recorder if this one is killed', async () => {
  const jobs: CaptureJob[] = [];
  // The short form merges one file with itself.
  for (let part = 0; part < byForm({ short: 1, long: 2 }); part++) {
    const job = await capturing();
    await fixture.ask('stop', job);
    await fixture.reaches(job, 'ended COMPLETE');
    jobs.push(job);
  }
  if (!isLongForm) jobs.push(...jobs);
  const [first, second] = await Promise.all(jobs.map((job) => fixture.film(job)));
  const merge = await fixture.mergeJob(jobs);
  await fixture.merge(merge);
  await fixture.stack.app('recorder').kill();
  await fixture.stack.app('recorder').start();
  const { fileResults } = await fixture.reaches(merge, 'ended COMPLETE');
  expect(fixture.eventNames(merge)).toEqual(['started ACTIVE', 'ended COMPLETE']);
  const film = await fixture.film(merge);
  // The decoder may repeat or leave out a frame where two parts meet.
  expect(Math.abs(film.frames.length - (first?.frames.length ?? 0) - (second?.frames.length ?? 0))).toBeLessThan(3);
  expect(film.beeps.length).toBeGreaterThanOrEqual((first?.beeps.length ?? 0) + (second?.beeps.length ?? 0) - 1);
  const ms = (text = '') => Number(BigInt(text) / 1_000_000n);
  expect([ms(fileResults[0]?.startedAt), ms(fileResults[0]?.endedAt)]).toEqual([merge.startedAt, merge.endedAt].map(Date.parse));
  await isClean();
});

test('files that cannot be merged are a failure with its reason, and leave nothing', async () => {
  const [merge, sid] = [await fixture.mergeJob([]), 'RM_0000000000000000'];
  await fixture.merge({ ...merge, sid, parts: ['http://127.0.0.1:9/1.mp4', 'http://127.0.0.1:9/2.mp4'] });
  const ended = await fixture.reaches(merge, 'ended FAILED');
  expect(ended).toMatchObject({ error: 'the files could not be merged', fileResults: [] });
  await isClean();
});

inLongForm(test)('a recorder that is stopped finishes its files first', async () => {
  const job = await capturing({}, 1);
  await fixture.stack.app('recorder').stop();
  expect((await fixture.reaches(job, 'ended COMPLETE')).error).toMatch(/the recorder was shut down after \d+ s$/);
  expect((await fixture.film(job)).duration).toBeGreaterThan(0);
  expect(await readdir(home())).toEqual([]);
});

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, makeSource, playToEnd, sleep, type SourceFile } from '@classroom/testing';
import { startVideoBench, StoredVideo, type VideoBench } from './video-bench.js';

const MIB = 1024 * 1024;
const between = (least: number, most: number) => least + Math.random() * (most - least);

/** Videos while their service dies and their storage is away. */
describe('videos when something goes wrong', () => {
  let bench: VideoBench;
  let folder: string;
  let film: SourceFile;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'films-'));
    [bench, film] = await Promise.all([startVideoBench(), makeSource(folder, 'mp4-faststart', 12)]);
  }, 120_000);
  afterAll(async () => {
    await bench?.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  const service = () => bench.stack.app('media');
  const storage = () => bench.stack.part('s3');

  /** Played from its only finished attempt, told once, with nothing beside it that nobody names. */
  async function expectWhole(video: StoredVideo): Promise<void> {
    await video.reaches('completed', 90_000);
    const { seconds, complaints } = await playToEnd((await video.url()).body.data.url as string);
    expect([complaints, Math.abs(seconds - film.seconds) < 0.6 || seconds]).toEqual([[], true]);
    await eventually(async () => expect(await video.objects()).toEqual(await video.expectedObjects()));
    expect((await bench.bucket.uploads('videos/')).filter((key) => key.includes(video.videoId))).toEqual([]);
    const facts = await bench.stack.rows<{ subject: string }>(`SELECT subject FROM media.outbox WHERE body::json->'data'->>'videoId' = $1`, [video.videoId]);
    expect(facts).toHaveLength(1);
    await eventually(() => expect(workLeft()).toEqual([]));
  }

  /** Folders of attempts, wherever in the home the worker keeps them. */
  function workLeft(): string[] {
    const media = join(bench.stack.home, 'media');
    return existsSync(media) ? readdirSync(media, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('vid_')) : [];
  }

  it('the service is killed in the middle of an upload, twice, and of its transcoding, three times', async () => {
    const bytes = readFileSync(film.path);
    const video = await StoredVideo.announce(bench, film);
    const deaths = [between(0.1, 0.45), between(0.55, 0.9)].map((share) => share * bytes.length);
    let revived = Promise.resolve();
    await video.upload(bytes, {
      chunkSize: 2 * MIB,
      onProgress: (sent) => {
        if (sent < (deaths[0] ?? Infinity)) return;
        deaths.shift();
        revived = revived.then(() => service().kill()).then(() => service().start());
      },
    });
    await revived;
    expect(deaths).toEqual([]);
    for (let death = 0; death < 3; death++) {
      const attempt = (await video.row())?.attempt ?? 0;
      await eventually(async () => expect(await video.row()).toMatchObject({ status: 'processing', attempt: death === 0 ? expect.any(Number) : attempt }), 30_000);
      await sleep(between(200, 2_500));
      await service().kill();
      if ((await video.row())?.status === 'completed') throw new Error('the film is too short to be interrupted');
      await video.age();
      await service().start();
      await eventually(async () => expect((await video.row())?.attempt).toBeGreaterThan(attempt), 30_000);
    }
    await expectWhole(video);
  }, 180_000);

  it('the storage is away for a while during upload, transcoding and delivery', async () => {
    const bytes = readFileSync(film.path);
    const without = async (ms: number, meanwhile: () => Promise<unknown> = async () => {}) => {
      await storage().kill();
      await Promise.all([meanwhile(), sleep(ms)]);
      await storage().start();
    };
    const video = await StoredVideo.announce(bench, film);
    let away: Promise<void> | undefined;
    await video.upload(bytes, { chunkSize: 2 * MIB, onProgress: (sent) => void (sent > bytes.length / 3 && (away ??= without(4_000))) });
    await away;
    await eventually(async () => expect((await video.row())?.status).toBe('processing'), 30_000);
    await without(5_000, async () => {
      const refused = await bench.api.post('/v1/cdn/videos', { title: 'Film', fileName: 'a.mp4', size: 1_000, contentType: 'video/mp4' });
      expect(refused).toMatchObject({ status: 503, body: { error: 'SERVICE_UNAVAILABLE' } });
      expect((await video.status()).body.data.status).toBe('processing');
    });
    await expectWhole(video);

    const { url } = (await video.url()).body.data as { url: string };
    const poster = url.replace('master.m3u8', 'poster.jpg');
    await without(1_000, async () => {
      const answer = await fetch(poster);
      // Never taken for a video that isn't there.
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([503, 'no-store']);
      expect((await video.url()).status).toBe(200);
    });
    await eventually(async () => expect((await fetch(poster)).status).toBe(200));
    expect((await playToEnd(url)).complaints).toEqual([]);
  }, 120_000);

  it('it is deleted in the middle of its transcoding: the work ends, and nothing stays', async () => {
    const video = await StoredVideo.sent(bench, film);
    await eventually(async () => expect((await video.row())?.status).toBe('processing'), 30_000);
    await sleep(between(100, 1_500));
    expect((await video.delete()).status).toBe(200);
    await eventually(() => expect(workLeft()).toEqual([]), 10_000);
    // What was being written at that moment is deleted later, as if ten minutes had passed.
    await sleep(1_500);
    await bench.stack.moveClock(11 * 60_000);
    await eventually(async () => expect(await video.objects()).toEqual([]), 10_000);
    await bench.stack.moveClock(0);
  }, 60_000);
});

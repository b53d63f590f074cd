import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, factsWith, makeSource, playToEnd, sleep, type SourceFile, type TestStack } from '@classroom/testing';
import { BreakingProxy } from './breaking-proxy.js';
import { startVideoFixture, StoredVideo, type VideoFixture } from './video-fixture.js';

const MIB = 1024 * 1024;
/** Timeout in milliseconds. Speed is not tested here, because a busy machine takes longer. */
const TIMEOUT_MS = 240_000;
jest.setTimeout(TIMEOUT_MS);
const LEASE_SECONDS = 6;
/** How often the service is killed during a transcoding. */
const KILLS = 3;
/** Milliseconds for which the storage is unreachable during a transcoding: longer than a lease. */
const OUTAGE_MS = 14_000;
const between = (least: number, most: number) => least + Math.random() * (most - least);

/** Videos while their service crashes and the storage is unreachable. */
describe('a video under faults', () => {
  let fixture: VideoFixture<TestStack>;
  let folder: string;
  let film: SourceFile;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'films-'));
    [fixture, film] = await Promise.all([
      startVideoFixture({ TRANSCODING_LEASE_SECONDS: String(LEASE_SECONDS) }),
      makeSource(folder, 'mp4-faststart', 6),
    ]);
  });
  afterAll(async () => {
    await fixture?.stack.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const service = () => fixture.stack.app('media');
  const storage = () => fixture.stack.part('s3');

  /** Asserts that the video plays from its only finished attempt, that it was published once, and that no other objects are left. */
  async function expectWhole(video: StoredVideo): Promise<void> {
    await video.reaches('completed', TIMEOUT_MS);
    const { seconds, complaints } = await playToEnd((await video.url()).body.data.url as string);
    expect([complaints, Math.abs(seconds - film.seconds) < 0.6 || seconds]).toEqual([[], true]);
    await eventually(async () => expect(await video.objects()).toEqual(await video.expectedObjects()));
    expect((await fixture.bucket.uploads('videos/')).filter((key) => key.includes(video.videoId))).toEqual([]);
    expect(await factsWith(fixture.stack, 'media', { videoId: video.videoId })).toHaveLength(1);
    await eventually(() => expect(leftFiles()).toEqual([]));
  }

  /** Folders of attempts, anywhere in the worker's home. */
  function leftFiles(): string[] {
    const media = join(fixture.stack.home, 'media');
    return existsSync(media) ? readdirSync(media, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('vid_')) : [];
  }

  /** Waits for an attempt after the given one. @returns false if the video is completed already */
  const isInProgress = (video: StoredVideo, after = 0) =>
    eventually(async () => {
      const { status, attempt } = (await video.row()) ?? {};
      if (status === 'completed') return false;
      expect([status, (attempt ?? 0) > after]).toEqual(['processing', true]);
      return true;
    }, TIMEOUT_MS);

  it(
    'is completed if the service is restarted and killed during its upload, and killed during its transcoding',
    async () => {
      const bytes = readFileSync(film.path);
      const sent = await StoredVideo.announce(fixture, film);
      const deaths = [between(0.1, 0.45), between(0.55, 0.9)].map((share) => share * bytes.length);
      const proxy = await BreakingProxy.before(sent.uploadUrl, []);
      let restarted = Promise.resolve();
      await sent.upload(
        bytes,
        {
          chunkSize: 2 * MIB,
          onProgress: (passed) => {
            if (passed < (deaths[0] ?? Infinity)) return;
            const isFirst = deaths.length === 2;
            deaths.shift();
            restarted = proxy.hold(restarted.then(() => (isFirst ? service().stop() : service().kill())).then(() => service().start()));
          },
        },
        proxy.url(sent.uploadUrl),
      );
      await restarted;
      await proxy.close();
      expect(deaths).toEqual([]);
      // A killed worker can't return its video. The next worker takes it when the lease has expired.
      let [video, last, mostMs] = [sent, 0, 2_000];
      for (let deaths = 0; deaths < KILLS;) {
        if (await isInProgress(video, last)) await sleep(between(0, mostMs));
        await service().kill();
        const { status, attempt = 0 } = (await video.row()) ?? {};
        await service().start();
        // On a fast machine the video was completed before the kill.
        if (status === 'completed') [video, last, mostMs] = [await StoredVideo.sent(fixture, film), 0, mostMs / 2];
        else [last, deaths] = [attempt, deaths + 1];
      }
      await expectWhole(video);
    },
    2 * TIMEOUT_MS,
  );

  it(
    'is completed and delivered if the storage is unreachable for a while during upload, transcoding and delivery',
    async () => {
      const bytes = readFileSync(film.path);
      const without = async (ms: number, meanwhile: () => Promise<unknown> = async () => {}, killed = storage().kill()) => {
        await killed;
        await Promise.all([meanwhile(), sleep(ms)]);
        await storage().start();
      };
      const video = await StoredVideo.announce(fixture, film);
      const proxy = await BreakingProxy.before(video.uploadUrl, []);
      let outage: Promise<void> | undefined;
      const onProgress = (sent: number) =>
        void (sent > bytes.length / 3 && (outage ??= without(OUTAGE_MS / 2, undefined, proxy.hold(storage().kill()))));
      await video.upload(bytes, { chunkSize: 2 * MIB, onProgress }, proxy.url(video.uploadUrl));
      await outage;
      await proxy.close();
      expect(outage).toBeDefined();
      await isInProgress(video);
      await without(OUTAGE_MS, async () => {
        const refused = await fixture.api.post('/v1/cdn/videos', {
          title: 'Film',
          fileName: 'a.mp4',
          size: 1_000,
          contentType: 'video/mp4',
        });
        expect(refused).toMatchObject({ status: 503, body: { error: 'SERVICE_UNAVAILABLE' } });
        expect((await video.status()).body.data.status).not.toBe('failed');
      });
      await expectWhole(video);

      const { url } = (await video.url()).body.data as { url: string };
      const poster = url.replace('master.m3u8', 'poster.jpg');
      await without(1_000, async () => {
        const answer = await fetch(poster);
        // The outage must never look like a missing video.
        expect([answer.status, answer.headers.get('cache-control')]).toEqual([503, 'no-store']);
        expect((await video.url()).status).toBe(200);
      });
      await eventually(async () => expect((await fetch(poster)).status).toBe(200));
      expect((await playToEnd(url)).complaints).toEqual([]);
    },
    2 * TIMEOUT_MS,
  );

  it('leaves nothing if it is deleted during its transcoding', async () => {
    const video = await StoredVideo.sent(fixture, film);
    await isInProgress(video);
    await sleep(between(100, 1_500));
    expect((await video.delete()).status).toBe(200);
    await eventually(() => expect(leftFiles()).toEqual([]));
    // An object that was being written at that moment is deleted later. The clock skips ten minutes.
    await fixture.stack.moveClock(11 * 60_000);
    await eventually(async () => expect(await video.objects()).toEqual([]));
    await fixture.stack.moveClock(0);
  });
});

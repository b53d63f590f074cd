/** @lane real-time */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import {
  byForm,
  eventually,
  inLongForm,
  makeSource,
  metricSample,
  newOrganization,
  playToEnd,
  probe,
  type Query,
  RecordedRoom,
  RtcParticipant,
  sharedStack,
  SOURCE_KINDS,
  type SourceFile,
  type SourceKind,
  WebhookReceiver,
} from '@classroom/testing';
import { violationsOf } from '../accessibility.js';
import { BreakingProxy } from './breaking-proxy.js';
import { launchBrowser } from '../browser.js';
import { PlayerPage } from './player-page.js';
import { StoredVideo, type VideoFixture, videoFixtureOf } from './video-fixture.js';

/** Timeout in milliseconds. Speed is not tested here, because a busy machine takes longer. */
const TIMEOUT_MS = 180_000;
jest.setTimeout(TIMEOUT_MS);
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** What the integration tests of the transcoder cover too: the short form plays another container, and one without picture. */
const PLAYED_KINDS = byForm<SourceKind[]>({ short: ['webm-vp9', 'sound-mp3'], long: SOURCE_KINDS });
const CAPTIONS = 'WEBVTT\n\n00:00.000 --> 00:20.000\nThe sugar comes from <i>light</i>\n';

/** What is stored, how it is played, and who may play it. */
describe('a stored video', () => {
  let fixture: VideoFixture;
  let folder: string;
  let browser: Browser;
  /** Long enough for an upload in several parts and for a change of quality during playback. */
  let film: SourceFile;
  let filmVideo: StoredVideo;
  const sources = new Map<SourceKind, SourceFile>();
  const videos = new Map<SourceKind, StoredVideo>();
  const sourceOf = (kind: SourceKind): SourceFile => {
    const source = sources.get(kind);
    if (!source) throw new Error(`no ${kind}`);
    return source;
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'films-'));
    const made = (async () => {
      film = await makeSource(folder, 'mp4-faststart', 8, { fps: 10 });
      for (const kind of PLAYED_KINDS) sources.set(kind, await makeSource(folder, kind, 2));
    })();
    [fixture, browser] = await Promise.all([
      sharedStack().then(videoFixtureOf),
      launchBrowser(['--autoplay-policy=no-user-gesture-required']),
      made,
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await RtcParticipant.disposeAll();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Waits until everything that an upload or attempt left has been deleted. */
  const expectTidy = (video: StoredVideo, captions: string[] = []) =>
    eventually(async () => expect(await video.objects()).toEqual(await video.expectedObjects(captions)));

  it('is uploaded exactly through broken connections, and its status never goes back', async () => {
    const { stack, bucket } = fixture;
    const bytes = readFileSync(film.path);
    filmVideo = await StoredVideo.announce(fixture, film);
    expect((await filmVideo.status()).body.data).toEqual({
      videoId: filmVideo.videoId,
      status: 'pending',
      progress: 0,
      createdAt: expect.stringMatching(INSTANT),
      message: 'The upload is not finished',
    });
    const proxy = await BreakingProxy.before(
      filmVideo.uploadUrl,
      [0.05, 0.3, 0.15].map((share) => Math.round(share * bytes.length)),
    );
    const count = async (name: string, ...labels: string[]) => (await metricSample(stack, 'media', name, ...labels)) ?? 0;
    const completed = () => count('classroom_media_transcodings_total', 'outcome="completed"');
    const [completedBefore, timedBefore] = [await completed(), await count('classroom_media_transcoding_seconds_count')];
    await filmVideo.upload(bytes, { chunkSize: Math.ceil(bytes.length / 2) }, proxy.url(filmVideo.uploadUrl));
    expect(proxy.broken).toBe(3);
    await proxy.close();

    const reported: { status: string; progress: number }[] = [];
    await eventually(async () => {
      const { status, progress } = (await filmVideo.status()).body.data;
      reported.push({ status, progress });
      expect(status).toBe('completed');
    }, TIMEOUT_MS);
    const order = ['pending', 'processing', 'completed'];
    expect(reported).toEqual(reported.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status) || a.progress - b.progress));
    expect(reported.at(-1)?.progress).toBe(100);
    const stored = [...(await bucket.list('videos/'))].find(([key]) => key.endsWith(`/${filmVideo.videoId}/source`));
    expect(stored?.[1]).toBe(bytes.length);
    await expectTidy(filmVideo);
    expect(await completed()).toBeGreaterThan(completedBefore);
    expect(await count('classroom_media_transcoding_seconds_count')).toBeGreaterThan(timedBefore);
  });

  it('is not changed by bytes after the end of its upload, too many bytes, or other methods', async () => {
    const source = sourceOf('sound-mp3');
    const headers = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' };
    // If the server rejects the request during the upload, a client may see the closed connection first.
    const patch = (url: string, offset: number, body: Buffer) =>
      eventually(() =>
        fetch(url, { method: 'PATCH', headers: { ...headers, 'upload-offset': String(offset) }, body: new Uint8Array(body) }),
      );
    const bytes = readFileSync(source.path);
    const video = await StoredVideo.announce(fixture, source);
    expect((await patch(video.uploadUrl, 5, bytes)).status).toBe(409);
    expect((await patch(video.uploadUrl.replace(/.{4}$/, 'AAAA'), 0, bytes)).status).toBe(404);
    expect((await patch(video.uploadUrl, 0, Buffer.concat([bytes, bytes]))).status).toBeGreaterThanOrEqual(400);
    expect(await video.offset()).toBeLessThanOrEqual(bytes.length);
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) expect((await fetch(video.uploadUrl, { method })).status).toBe(405);
    await video.upload(bytes);
    expect((await patch(video.uploadUrl, 0, bytes)).status).toBe(409);
    await video.reaches('completed');
    for (const [field, value] of [
      ['size', 0],
      ['size', 51 * 1024 ** 3],
      ['contentType', 'text/html'],
      ['title', ''],
    ] as const) {
      await expect(StoredVideo.announce(fixture, source, { [field]: value })).rejects.toThrow('400');
    }
  });

  describe('of every kind', () => {
    beforeAll(async () => {
      await Promise.all([...sources].map(async ([kind, source]) => videos.set(kind, await StoredVideo.sentInPieces(fixture, source))));
    });
    const videoOf = (kind: SourceKind): StoredVideo => {
      const video = videos.get(kind);
      if (!video) throw new Error(`no video of ${kind}`);
      return video;
    };

    it.each(PLAYED_KINDS)('plays to its end in every quality: %s', async (kind) => {
      const source = sourceOf(kind);
      const video = videoOf(kind);
      await video.reaches('completed', TIMEOUT_MS);
      const { type, url, posterUrl } = (await video.url()).body.data as { type: string; url: string; posterUrl: string | null };
      expect(type).toBe('hls');
      const { seconds, complaints } = await playToEnd(url);
      expect([complaints, Math.abs(seconds - source.seconds) < 0.6 || seconds]).toEqual([[], true]);

      const master = await (await fetch(url)).text();
      const sizes = [...master.matchAll(/RESOLUTION=(\d+)x(\d+)/g)].map(([, width, height]) => ({
        width: Number(width),
        height: Number(height),
      }));
      const variants = master.split('\n').filter((line) => line && !line.startsWith('#'));
      for (const variant of variants) {
        const { video: pictures, audio } = await probe(new URL(variant, url).href);
        expect([pictures.length, audio.length]).toEqual([source.picture ? 1 : 0, source.hasSound ? 1 : 0]);
        for (const { codec, pixelFormat } of pictures) expect([codec, pixelFormat]).toEqual(['h264', 'yuv420p']);
      }
      if (!source.picture) return expect(sizes).toEqual([]);
      const shape = source.picture.width / source.picture.height;
      for (const { width, height } of sizes) {
        expect([width % 2, height % 2, Math.abs(width / height / shape - 1) < 0.02]).toEqual([0, 0, true]);
        expect(height).toBeLessThanOrEqual(source.picture.height);
      }
      const poster = await fetch(posterUrl ?? '');
      expect([poster.status, poster.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      expect((await poster.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
      await expectTidy(video);
    });

    inLongForm(it)('plays in Chromium, too', async () => {
      const waiting = [...PLAYED_KINDS];
      const viewer = async () => {
        for (let kind = waiting.shift(); kind; kind = waiting.shift()) {
          const player = await openPlayer(videoOf(kind));
          await player.press('start');
          await player.reaches('ended', TIMEOUT_MS);
          const [duration, at] = [await player.video<number>('duration'), await player.video<number>('currentTime')];
          expect([
            kind,
            player.watch.problems,
            (Math.abs(at - duration) < 0.3 && Math.abs(duration - sourceOf(kind).seconds) < 0.6) || [at, duration],
          ]).toEqual([kind, [], true]);
          if (sourceOf(kind).picture) expect([kind, await player.video<number>('videoHeight')]).not.toEqual([kind, 0]);
          await player.close();
        }
      };
      await Promise.all([viewer(), viewer(), viewer()]);
    });
  });

  async function openPlayer(video: StoredVideo): Promise<PlayerPage> {
    const { url, posterUrl } = (await video.url()).body.data as { url: string; posterUrl: string | null };
    const player = await PlayerPage.open(browser, fixture.stack.urls.gateway, {
      src: url,
      poster: posterUrl,
      title: 'Where the sugar comes from',
    });
    await player.reaches('ready');
    return player;
  }

  describe('in the player', () => {
    it('plays to its end, with a change of quality and captions that were added later', async () => {
      const captions = await filmVideo.caption({ language: 'en', label: 'English', content: CAPTIONS });
      expect(captions.body.data).toEqual({
        videoId: filmVideo.videoId,
        captions: [{ language: 'en', label: 'English', isDefault: false }],
      });
      const { url } = (await filmVideo.url()).body.data as { url: string };
      await eventually(async () => expect(await (await fetch(url)).text()).toMatch(/#EXT-X-MEDIA:TYPE=SUBTITLES,.*LANGUAGE="en"/));
      await expectTidy(filmVideo, ['en']);

      const player = await openPlayer(filmVideo);
      expect(await violationsOf(player.page, 'ready')).toEqual([]);
      await player.press('start');
      await player.loops(true);
      await player.plays();
      await player.page.keyboard.press('c');
      await eventually(async () => expect(await player.captions()).toBe('The sugar comes from light'));
      await player.switchTo('240p');
      await player.switchTo('720p');
      await player.plays();
      expect(await violationsOf(player.page, 'playing')).toEqual([]);
      await player.page.keyboard.press('>');
      await eventually(async () => expect(await player.video('playbackRate')).toBe(1.25));
      await player.loops(false);
      await player.page.keyboard.press('8');
      await player.reaches('ended');
      expect(Math.abs((await player.video<number>('duration')) - film.seconds)).toBeLessThan(0.5);
      await player.press('replay');
      await player.plays();
      expect(player.watch.problems).toEqual([]);
      const hosts = [fixture.stack.urls.gateway, url].map((address) => new URL(address).host);
      expect([...player.watch.hosts].filter((host) => !hosts.includes(host))).toEqual([]);
      await player.close();
    });

    it('shows an explanation if its link is damaged or leads nowhere', async () => {
      const prefix = await filmVideo.prefix();
      const links = { expired: `${prefix.slice(0, -3)}xx/master.m3u8`, missing: `${prefix}none.m3u8` };
      for (const [failure, src] of Object.entries(byForm<Partial<typeof links>>({ short: { expired: links.expired }, long: links }))) {
        const player = await PlayerPage.open(browser, fixture.stack.urls.gateway, { src });
        await player.reaches('failed');
        expect(await player.mark('failure')).toBe(failure);
        expect(await violationsOf(player.page, failure)).toEqual([]);
        await player.close();
      }
    });
  });

  it('is reported to the school’s backend by webhook when it completes or fails', async () => {
    const receiver = await WebhookReceiver.start();
    const eventTypes = ['video.completed', 'video.failed'];
    const { endpointId } = (await fixture.api.post('/v1/webhook-endpoints', { url: receiver.url(), eventTypes })).body.data;
    const broken = join(folder, 'broken.mp4');
    writeFileSync(broken, 'no film at all');
    const bad = await StoredVideo.sent(fixture, { path: broken, contentType: 'video/mp4' });
    const good = await StoredVideo.sent(fixture, sourceOf(byForm<SourceKind>({ short: 'webm-vp9', long: 'portrait-turned' })), {
      playback: 'mp4',
    });
    const received = () =>
      receiver
        .on('/hook')
        .map(({ event: { type, data } }) => `${type} ${String(data['videoId'])}`)
        .toSorted();
    await eventually(() => expect(received()).toEqual([`video.completed ${good.videoId}`, `video.failed ${bad.videoId}`]), 90_000);
    expect(receiver.on('/hook', 'video.failed')[0]?.event.data).toEqual({
      videoId: bad.videoId,
      title: 'Film of broken.mp4',
      message: expect.any(String),
    });
    await fixture.api.delete(`/v1/webhook-endpoints/${endpointId}`);
    await receiver.stop();
  });

  inLongForm(it)('is made of a finished recording, once', async () => {
    const { stack, bucket, api } = fixture;
    const room = await RecordedRoom.open(stack, api, ({ token }) => RtcParticipant.connect(stack.urls.livekitPublic, token));
    const publish = (recordingId: string) => api.post(`/v1/room/${room.roomId}/recordings/${recordingId}/publish`);
    expect(await publish('rec_EG_00000000')).toMatchObject({ status: 404, body: { error: 'RECORDING_NOT_FOUND' } });
    const egressId = await room.started();
    await room.reaches(['ACTIVE'], 60_000);
    expect(await publish(`rec_${egressId}`)).toMatchObject({ status: 409, body: { error: 'RECORDING_IN_PROGRESS' } });
    await room.stop();
    await room.reaches(['COMPLETED'], 60_000);
    const [{ objectKey } = { objectKey: '' }] = await room.rows();
    const [first, again] = await Promise.all([publish(`rec_${egressId}`), publish(`rec_${egressId}`)]);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body.data.videoId).toBe(first.body.data.videoId);
    const video = StoredVideo.of(fixture, first.body.data.videoId as string);
    await video.reaches('completed');
    expect((await playToEnd((await video.url()).body.data.url as string)).complaints).toEqual([]);
    expect((await publish(`rec_${egressId}`)).body.data).toMatchObject({ videoId: video.videoId, status: 'completed', progress: 100 });
    await expectTidy(video);
    expect((await bucket.list(objectKey)).size).toBe(1);
  });

  it('is listed in pages, newest first, and is deleted with all its objects', async () => {
    const { api } = await newOrganization(fixture.stack);
    const [small, other] = [sourceOf('sound-mp3'), sourceOf('webm-vp9')];
    const mine: StoredVideo[] = [];
    for (const source of [small, other, small]) mine.push(await StoredVideo.announce(fixture, source, {}, api));
    const page = (query: Query) => api.get(`/v1/cdn/videos${query}`);
    const { videos: firstTwo, nextCursor } = (await page('?limit=2')).body.data;
    const { videos: rest, nextCursor: end } = (await page(`?limit=2&cursor=${nextCursor}`)).body.data;
    expect([...firstTwo, ...rest].map(({ videoId }) => videoId)).toEqual(mine.map(({ videoId }) => videoId).toReversed());
    expect([end, rest.length]).toEqual([null, 1]);
    expect(rest[0]).toEqual({
      videoId: mine[0]?.videoId,
      title: expect.any(String),
      fileName: 'sound-mp3-2.mp3',
      size: readFileSync(small.path).length,
      status: 'pending',
      progress: 0,
      type: null,
      duration: null,
      createdAt: expect.stringMatching(INSTANT),
    });
    expect((await page('?cursor=nonsense')).status).toBe(400);

    const [begun, done] = mine;
    if (!begun || !done) throw new Error('not announced');
    await done.upload(readFileSync(other.path));
    await done.reaches('completed');
    const { url } = (await done.url()).body.data as { url: string };
    expect((await fetch(url)).status).toBe(200);
    for (const video of [begun, done]) {
      expect((await video.delete()).body.data).toEqual({ videoId: video.videoId, deletedAt: expect.stringMatching(INSTANT) });
      for (const again of [video.delete, video.status, video.url])
        expect(await again()).toMatchObject({ status: 404, body: { error: 'VIDEO_NOT_FOUND' } });
      await eventually(async () => expect(await video.objects()).toEqual([]));
    }
    expect((await fetch(begun.uploadUrl, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } })).status).toBe(404);
    await eventually(async () => expect((await fetch(url)).status).toBe(404));
    expect((await page('')).body.data.videos).toHaveLength(1);
  });
});

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byForm, eventually, makeSource, newOrganization, playToEnd, sharedStack, type SourceFile } from '@classroom/testing';
import type { Span } from '../traces/spans.js';
import { getRaw, signed, StoredVideo, type VideoFixture, videoFixtureOf } from './video-fixture.js';

jest.setTimeout(180_000);
const CAPTIONS = 'WEBVTT\n\n00:00.000 --> 00:20.000\nThe sugar comes from light\n';

/** Who may fetch a stored video, and by which addresses. */
describe('a stored video', () => {
  let fixture: VideoFixture;
  let folder: string;
  let source: SourceFile;
  let video: StoredVideo;
  /** A video of the same organization. */
  let other: StoredVideo;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'films-'));
    [fixture, source] = await Promise.all([sharedStack().then(videoFixtureOf), makeSource(folder, 'mov-index-last', 2, { fps: 10 })]);
    [video, other] = [await StoredVideo.sent(fixture, source), await StoredVideo.announce(fixture, source)];
    await video.caption({ language: 'en', label: 'English', content: CAPTIONS });
    await video.reaches('completed');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is delivered in ranges as a single file', async () => {
    const single = await StoredVideo.sent(fixture, source, { playback: 'mp4' });
    await single.reaches('completed');
    const { type, url } = (await single.url()).body.data as { type: string; url: string };
    expect(type).toBe('mp4');
    const whole = await fetch(url);
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect([whole.status, whole.headers.get('accept-ranges'), whole.headers.get('content-type')]).toEqual([200, 'bytes', 'video/mp4']);
    expect(bytes.length).toBe(Number(whole.headers.get('content-length')));
    const ranges: [string, number, number][] = [
      ['0-99', 0, 100],
      ['100-', 100, bytes.length],
      ['-50', bytes.length - 50, bytes.length],
      [`10-${bytes.length + 5}`, 10, bytes.length],
    ];
    for (const [range, from, to] of ranges) {
      const part = await fetch(url, { headers: { range: `bytes=${range}` } });
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes ${from}-${to - 1}/${bytes.length}`]);
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(from, to))).toBe(true);
    }
    expect((await fetch(url, { headers: { range: `bytes=${bytes.length}-` } })).status).toBe(416);
    expect((await fetch(url, { headers: { 'if-none-match': whole.headers.get('etag') ?? '' } })).status).toBe(304);
    expect((await playToEnd(url)).complaints).toEqual([]);
    await eventually(async () => expect(await single.objects()).toEqual(await single.expectedObjects()));
  });

  it('is not visible to another organization', async () => {
    const { api } = await newOrganization(fixture.stack);
    const path = `/v1/cdn/videos/${video.videoId}` as const;
    const answers = [
      await api.get(`${path}/url`),
      await api.get(`${path}/status`),
      await api.post(`${path}/captions`, { language: 'de', label: 'Deutsch', content: CAPTIONS }),
      await api.delete(path),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { success: false, error: 'VIDEO_NOT_FOUND' } });
    expect((await api.get('/v1/cdn/videos')).body.data.videos).toEqual([]);
    expect((await video.status()).body.data.status).toBe('completed');
  });

  describe('from a page', () => {
    const host = `${randomUUID()}.example`;
    const [school, stranger] = [`https://${host}`, `https://other-${host}`];
    let upload: string;
    let file: string;
    beforeAll(async () => {
      await newOrganization(fixture.stack, { verifiedDomains: [host] });
      [upload, file] = [other.uploadUrl, `${await video.prefix()}master.m3u8`];
    });

    const tus = { 'tus-resumable': '1.0.0' };
    const answerTo = async (origin: string, url: string, init: RequestInit = {}) => {
      const { status, headers } = await fetch(url, { ...init, headers: { ...init.headers, origin } });
      return { status, origin: headers.get('access-control-allow-origin'), traceId: headers.get('x-trace-id') ?? '' };
    };
    const preflight = (origin: string, url: string, method: string) =>
      answerTo(origin, url, { method: 'OPTIONS', headers: { 'access-control-request-method': method } });
    /** The lookups of origins in the trace, by their outcome. */
    const lookups = (traceId: string) =>
      fixture.stack
        .spans<Span>()
        .filter((span) => span.traceId === traceId && span.kind === 'CLIENT' && span.name.includes('is-verified-host'))
        .map(({ status }) => status.code);

    it('of a verified domain is read and uploaded', async () => {
      expect(await answerTo(school, file)).toMatchObject({ status: 200, origin: school });
      expect(await answerTo(school, upload, { method: 'HEAD', headers: tus })).toMatchObject({ status: 200, origin: school });
      expect(await preflight(school, file, 'GET')).toMatchObject({ status: 204, origin: school });
      expect(await preflight(school, upload, 'PATCH')).toMatchObject({ status: 204, origin: school });
    });

    it('of another is not, which is looked up once', async () => {
      const first = await answerTo(stranger, file);
      expect(first).toMatchObject({ status: 200, origin: null });
      const later = await Promise.all([
        answerTo(stranger, upload, { method: 'HEAD', headers: tus }),
        preflight(stranger, file, 'GET'),
        preflight(stranger, upload, 'PATCH'),
      ]);
      expect(later.map(({ origin }) => origin)).toEqual([null, null, null]);
      await eventually(() => expect(lookups(first.traceId)).toEqual(['UNSET']));
      expect(later.flatMap(({ traceId }) => lookups(traceId))).toEqual([]);
    });

    it('of an unknown origin is not looked up for an address that is not valid', async () => {
      const unknown = `https://unknown-${host}`;
      for (const url of [file.replace(video.videoId, other.videoId), `${upload.slice(0, -32)}${'x'.repeat(32)}`]) {
        const { origin, traceId } = await answerTo(unknown, url, { method: 'HEAD', headers: tus });
        await eventually(() => expect(fixture.stack.spans<Span>().some((span) => span.traceId === traceId)).toBe(true));
        expect([origin, lookups(traceId)]).toEqual([null, []]);
      }
    });
  });

  describe('its signature', () => {
    let origin: string;
    let token: string;
    const statusOf = async (path: string) => (await getRaw(origin, path)).status;
    beforeAll(async () => {
      const prefix = new URL(await video.prefix());
      ({ origin } = prefix);
      token = prefix.pathname.split('/')[3] ?? '';
    });
    const at = (tampered: string, path = 'master.m3u8', videoId = video.videoId) => `/v/${videoId}/${tampered}/${path}`;

    it('is valid unchanged, and with the previous first key', async () => {
      expect(await statusOf(at(token))).toBe(200);
      const later = Math.floor(Date.now() / 1000) + 60;
      for (const key of ['new', 'old'] as const) {
        expect(await statusOf(`/v/${signed(video.videoId, later, key)}/master.m3u8`)).toBe(200);
      }
    });

    it('is refused with any of its characters changed, omitted or repeated', async () => {
      const classes = ['a', 'Z', '0', '-', '_', '.', '%41', '%2e', '%00', '%C3%A9', '~', '=', '+', ' '.replace(' ', '%20'), ';', ':'];
      // The integration tests of delivery change every character; the short form here changes every sixth.
      const changed = [...Array(token.length).keys()].filter((index) => index % byForm({ short: 6, long: 1 }) === 0);
      const tampered = changed.flatMap((index) => {
        const character = token[index] ?? '';
        const [before, after] = [token.slice(0, index), token.slice(index + 1)];
        const another = classes[index % classes.length] ?? 'a';
        const flipped = character === 'a' ? 'b' : 'a';
        return [
          before + flipped + after,
          before + (another === character ? 'q' : another) + after,
          before + after,
          before + character + character + after,
        ];
      });
      // The Set removes duplicates: next to an equal letter, omitting or doubling either gives the same token.
      const all = [
        ...new Set([
          ...tampered,
          token.toUpperCase(),
          `${token}=`,
          `${token}.`,
          `.${token}`,
          '',
          '.',
          token.split('.').slice(0, 2).join('.'),
        ]),
      ];
      const refused = await Promise.all(all.map(async (one) => [one, await statusOf(at(one))] as const));
      expect(refused.filter(([, status]) => status !== 403)).toEqual([]);
      const { body } = await getRaw(origin, at(`${token}x`));
      expect(JSON.parse(body)).toMatchObject({ success: false, message: expect.any(String), error: 'FORBIDDEN' });
    });

    it('is refused for another video, after it expired, and with an unknown key', async () => {
      const now = Math.floor(Date.now() / 1000);
      expect(await statusOf(at(token, 'master.m3u8', other.videoId))).toBe(403);
      for (const path of [
        `${signed(video.videoId, now - 1)}/master.m3u8`,
        `${signed(video.videoId, now - 3_600)}/master.m3u8`,
        `${signed(video.videoId, now + 60, 'new', 'x'.repeat(40))}/master.m3u8`,
        `${signed(other.videoId, now + 60).replace(other.videoId, video.videoId)}/master.m3u8`,
      ]) {
        expect([path, await statusOf(`/v/${path}`)]).toEqual([path, 403]);
      }
    });

    it('gives access only to the files that the player needs', async () => {
      const { attempt, result } = (await video.row()) ?? {};
      const playlist = result?.renditions[0]?.playlist ?? '';
      expect(await statusOf(at(token, playlist))).toBe(200);
      const paths = [
        '',
        '.',
        '..',
        'source',
        'source.info',
        'none.m4s',
        `${attempt}/master.m3u8`,
        `${attempt}/${playlist}`,
        `${(attempt ?? 0) + 1}/${playlist}`,
        `0/${playlist}`,
        `../source`,
        `../${other.videoId}/source`,
        `x/../${playlist}`,
        `./${playlist}`,
        `/${playlist}`,
        playlist.replace('/', '//'),
        playlist.replace('/', '%2f'),
        playlist.replace('/', '%2F'),
        playlist.replace('/', '\\'),
        playlist.replace('/', '/%2e/'),
        `%2e%2e/${other.videoId}/source`,
        `..%2f${other.videoId}%2fsource`,
        `..%5csource`,
        `%252e%252e/source`,
        `${playlist}/`,
        `${playlist}%00`,
        `${playlist}%20`,
        playlist.toUpperCase(),
        'captions/',
        'captions/fr.vtt',
        'captions/../source',
        'captions/en.vtt/..',
        'captions/..%2fsource.vtt',
        'master.m3u8/',
        'master%2em3u8',
        '%6daster.m3u8',
      ];
      const direct = `http://127.0.0.1:${fixture.stack.ports.parts['media']}`;
      const opened = await Promise.all(paths.map(async (path) => [path, (await getRaw(direct, at(token, path))).status] as const));
      expect(opened.filter(([, status]) => status !== 404 && status !== 403)).toEqual([]);
      // A proxy in front may normalize a path first. The result must not give access to more than is allowed.
      const { body: allowed } = await getRaw(direct, at(token, playlist));
      const restored = await Promise.all(paths.map(async (path) => ({ path, ...(await getRaw(origin, at(token, path))) })));
      expect(restored.filter(({ status, body }) => ![400, 403, 404].includes(status) && body !== allowed)).toEqual([]);
      for (const path of [
        `/v/../v/${other.videoId}/${token}/master.m3u8`,
        `/v/${video.videoId}/../${other.videoId}/${token}/master.m3u8`,
        `//v/${other.videoId}/${token}/master.m3u8`,
        `/v//${token}/master.m3u8`,
        '/v/',
        '/v/x',
      ]) {
        expect([path, [400, 403, 404].includes(await statusOf(path))]).toEqual([path, true]);
      }
    });
  });
});

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { addCaption, createVideo, deleteVideo, getVideoUrl, listVideos, publishRecording } from '@classroom/contracts';
import { inLongForm, eventually } from '@classroom/testing';
import { sign } from '../src/delivery/signature.js';
import type { TranscodingResult } from '../src/schema/video.entity.js';
import { MediaFixture, OLD_KEY, SIGNING_KEY } from './support/media-fixture.js';

jest.setTimeout(120_000);

const MIB = 1024 ** 2;
const ORIGIN = { origin: 'https://school.example' };
const VTT = 'WEBVTT\n\n00:00.000 --> 00:02.000\nHello\n';

const HLS: TranscodingResult = {
  type: 'hls',
  entry: 'master.m3u8',
  duration: 8.2,
  bytes: 1,
  hasVideo: true,
  hasAudio: true,
  renditions: [{ width: 426, height: 240, bandwidth: 400_000, codecs: 'avc1.64000d,mp4a.40.2', playlist: '240p/index.m3u8' }],
  poster: 'poster.jpg',
};
const MP4: TranscodingResult = { ...HLS, type: 'mp4', entry: 'video.mp4', renditions: [], poster: null };

describe('delivery', () => {
  let fixture: MediaFixture;
  const segment = randomBytes(100_000);
  const film = randomBytes(9 * MIB);

  beforeAll(async () => {
    fixture = await MediaFixture.start();
    await fixture.startApp();
  });

  afterAll(async () => {
    await fixture?.stop();
  });

  /** A video as the transcoder leaves it. */
  async function finished(result: TranscodingResult, files: Record<string, Buffer>) {
    const organizationId = `org_${randomUUID()}`;
    const input = { organizationId, title: 'A film', fileName: 'film.mp4', size: 5, contentType: 'video/mp4', playback: result.type };
    const { videoId } = await fixture.call(createVideo, input);
    const tenant = createHash('sha256').update(organizationId).digest('hex').slice(0, 24);
    for (const [name, body] of Object.entries(files)) await fixture.bucket.put(`videos/${tenant}/${videoId}/2/${name}`, body);
    await fixture.stack.rows(
      `UPDATE media.videos SET status = 'completed', attempt = 2, progress = 100, duration = 8, result = $2 WHERE video_id = $1`,
      [videoId, JSON.stringify(result)],
    );
    const { url, posterUrl } = await fixture.call(getVideoUrl, { organizationId, videoId });
    return { organizationId, videoId, url: url ?? '', posterUrl, base: (url ?? '').replace(/[^/]+$/, '') };
  }

  const hls = () =>
    finished(HLS, {
      'poster.jpg': Buffer.from('a picture'),
      '240p/index.m3u8': Buffer.from('#EXTM3U\n'),
      '240p/init.mp4': Buffer.from('init'),
      '240p/00000.m4s': segment,
    });

  /** Sends the path as written: `fetch` removes dots from a path. */
  const raw = (url: string, path: string) =>
    new Promise<number>((resolve, reject) => {
      const { hostname, port } = new URL(url);
      request({ hostname, port, path }, (answer) => resolve((answer.resume(), answer.statusCode ?? 0)))
        .on('error', reject)
        .end();
    });

  test('serves all files of a video under one signed address', async () => {
    const { url, base, posterUrl, videoId, organizationId } = await hls();
    expect(await fixture.call(getVideoUrl, { organizationId, videoId })).toMatchObject({ type: 'hls', status: 'completed' });
    const master = await fetch(url, { headers: ORIGIN });
    expect([
      master.status,
      master.headers.get('content-type'),
      master.headers.get('access-control-allow-origin'),
      master.headers.get('x-content-type-options'),
    ]).toEqual([200, 'application/vnd.apple.mpegurl', ORIGIN.origin, 'nosniff']);
    expect(await master.text()).toContain('RESOLUTION=426x240\n240p/index.m3u8');
    const piece = await fetch(`${base}240p/00000.m4s`);
    expect([piece.status, piece.headers.get('content-type'), piece.headers.get('access-control-allow-origin')]).toEqual([
      200,
      'video/iso.segment',
      null,
    ]);
    expect(piece.headers.get('cache-control')).toMatch(/^private, max-age=3[56]\d\d, immutable$/);
    expect(Buffer.from(await piece.arrayBuffer()).equals(segment)).toBe(true);
    const poster = await fetch(posterUrl ?? '');
    expect([poster.status, poster.headers.get('content-type'), await poster.text()]).toEqual([200, 'image/jpeg', 'a picture']);
    expect((await fetch(url, { headers: { origin: 'https://other.example' } })).headers.get('access-control-allow-origin')).toBeNull();
    const known = await fetch(`${base}240p/00000.m4s`, { headers: { 'if-none-match': piece.headers.get('etag') ?? '' } });
    expect([known.status, await known.text()]).toEqual([304, '']);
    const asked = await fetch(`${base}240p/00000.m4s`, { method: 'HEAD' });
    expect([asked.status, asked.headers.get('content-length')]).toEqual([200, String(segment.length)]);
  });

  test('lets pages of verified domains read it, and looks up no origin for an address that is not valid', async () => {
    const { url, videoId } = await hls();
    const asking = { origin: 'https://unknown.example', 'access-control-request-method': 'GET' };
    const [forged, elsewhere] = [`${fixture.url}/v/${videoId}/${'x'.repeat(60)}/master.m3u8`, `${fixture.url}/elsewhere`];
    for (const [address, method, status] of [
      [forged, 'GET', 403],
      [forged, 'OPTIONS', 403],
      [elsewhere, 'GET', 404],
      [elsewhere, 'OPTIONS', 404],
    ] as const) {
      const refused = await fetch(address, { method, headers: asking });
      expect([address, method, refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
        address,
        method,
        status,
        null,
      ]);
    }
    expect(fixture.lookups).not.toContain('unknown.example');
    expect((await fetch(url, { method: 'OPTIONS', headers: asking })).status).toBe(405);
    expect(fixture.lookups).toContain('unknown.example');
    const preflight = await fetch(url, { method: 'OPTIONS', headers: { ...asking, ...ORIGIN } });
    expect([
      preflight.status,
      preflight.headers.get('access-control-allow-origin'),
      preflight.headers.get('access-control-allow-methods'),
    ]).toEqual([204, ORIGIN.origin, 'GET, HEAD']);
    // A page that may read the video may also read that its address is not valid any more.
    const refused = await fetch(forged, { headers: ORIGIN });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, ORIGIN.origin]);
  });

  test('limits lookups by the address of the caller, which the gateway passes on', async () => {
    const { url } = await hls();
    const from = (address: string, origin: string) => fetch(url, { headers: { origin, 'x-forwarded-for': address } });
    for (let index = 0; index < 65; index++) await from('203.0.113.9', `https://x${index}.example`);
    expect(fixture.lookups.filter((host) => /^x\d+\.example$/.test(host))).toHaveLength(60);
    await from('203.0.113.10', 'https://y.example');
    expect(fixture.lookups).toContain('y.example');
  });

  test('serves ranges from memory and from the storage', async () => {
    const small = await hls();
    const large = await finished(MP4, { 'video.mp4': film });
    for (const [url, body] of [
      [`${small.base}240p/00000.m4s`, segment],
      [large.url, film],
    ] as const) {
      const size = body.length;
      for (const [range, start, end] of [
        ['bytes=0-0', 0, 0],
        ['bytes=5-1000', 5, 1000],
        [`bytes=${size - 10}-`, size - 10, size - 1],
        ['bytes=-7', size - 7, size - 1],
      ] as const) {
        const answer = await fetch(url, { headers: { range } });
        expect([answer.status, answer.headers.get('content-range')]).toEqual([206, `bytes ${start}-${end}/${size}`]);
        expect(Buffer.from(await answer.arrayBuffer()).equals(body.subarray(start, end + 1))).toBe(true);
      }
      const beyond = await fetch(url, { headers: { range: `bytes=${size}-` } });
      expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${size}`]);
      const etag = (await fetch(url, { method: 'HEAD' })).headers.get('etag') ?? '';
      expect((await fetch(url, { headers: { range: 'bytes=0-9', 'if-range': etag } })).status).toBe(206);
      const whole = await fetch(url, { headers: { range: 'bytes=0-9', 'if-range': '"other"' } });
      expect([whole.status, (await whole.arrayBuffer()).byteLength]).toEqual([200, size]);
    }
  });

  test('releases its resources when a client disconnects during a download', async () => {
    const { url } = await finished(MP4, { 'video.mp4': film });
    for (let n = 0; n < 20; n += 1) {
      const stop = new AbortController();
      const answer = await fetch(url, { signal: stop.signal });
      await answer.body?.getReader().read();
      stop.abort();
    }
    expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(film.length);
  });

  test('refuses every path outside the signed video', async () => {
    const [mine, other] = [await hls(), await hls()];
    const [, , , , , token = ''] = mine.url.split('/');
    const at = (videoId: string, signed: string, path: string) => `/v/${videoId}/${signed}/${path}`;
    const forged = [
      at(other.videoId, token, 'master.m3u8'),
      at(mine.videoId, token.toUpperCase(), 'master.m3u8'),
      at(mine.videoId, `${token}=`, 'master.m3u8'),
      at(mine.videoId, '', 'master.m3u8'),
      at(mine.videoId, token.split('').reverse().join(''), 'master.m3u8'),
      at(mine.videoId, sign(mine.videoId, Math.floor(Date.now() / 1000) - 1, SIGNING_KEY), 'master.m3u8'),
      at(mine.videoId, sign(mine.videoId, 2e9, { id: 'k2', secret: 'another secret of 32 characters …' }), 'master.m3u8'),
      at(mine.videoId, sign(mine.videoId, 2e9, { id: 'k9', secret: SIGNING_KEY.secret }), 'master.m3u8'),
      `/v/${mine.videoId}`,
      `/v/${mine.videoId}/${token}%2f..%2f${other.videoId}`,
      '/v/',
    ];
    for (const path of forged) expect([path, await raw(mine.url, path)]).toEqual([path, 403]);
    for (let index = 0; index < token.length; index += 1) {
      const changed = token.slice(0, index) + (token[index] === 'a' ? 'b' : 'a') + token.slice(index + 1);
      expect((await fetch(mine.url.replace(token, changed))).status).toBe(403);
    }
    const outside = [
      '',
      '../source',
      '../../../source',
      '240p/../../source',
      '240p/..%2f..%2fsource',
      '240p%2f00000.m4s',
      '..',
      '.',
      'source',
      'source.info',
      '2/240p/index.m3u8',
      '1/240p/index.m3u8',
      '720p/index.m3u8',
      '240p/00001.m4s',
      '240p/x.key',
      'captions/en.vtt',
      `../../${other.videoId}/${token}/master.m3u8`,
      '240p//00000.m4s',
      'master.m3u8/',
    ];
    for (const path of outside) expect([path, await raw(mine.url, at(mine.videoId, token, path))]).toEqual([path, 404]);
    const refused = await fetch(mine.url.replace(token, 'x'));
    expect([refused.status, await refused.json()]).toEqual([
      403,
      { success: false, message: expect.any(String), error: 'FORBIDDEN', requestId: expect.any(String) },
    ]);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) expect((await fetch(mine.url, { method })).status).toBe(404);
  });

  test('accepts an earlier signing key until it is removed', async () => {
    const { videoId, url } = await hls();
    const expires = Math.floor(Date.now() / 1000) + 100;
    const earlier = url.replace(/\/v\/[^/]+\/[^/]+\//, `/v/${videoId}/${sign(videoId, expires, OLD_KEY)}/`);
    expect((await fetch(earlier)).status).toBe(200);
    await fixture.startApp({ MEDIA_SIGNING_KEYS: `k2:${SIGNING_KEY.secret}` });
    expect([(await fetch(earlier)).status, (await fetch(url)).status]).toEqual([403, 200]);
  });

  test('lists captions that are added later in the master playlist', async () => {
    const { organizationId, videoId, url, base } = await hls();
    expect(await (await fetch(url)).text()).not.toContain('SUBTITLES');
    const english = { organizationId, videoId, language: 'en', label: 'English', isDefault: true, content: VTT };
    await fixture.call(addCaption, english);
    await fixture.call(addCaption, { ...english, language: 'PT-br', label: 'Português' });
    const { captions } = await fixture.call(addCaption, {
      ...english,
      content: `\uFEFF${VTT.replace('Hello', 'Hi').replaceAll('\n', '\r\n')}`,
    });
    expect(captions).toEqual([
      { language: 'en', label: 'English', isDefault: true },
      { language: 'pt-BR', label: 'Português', isDefault: false },
    ]);
    for (const wrong of ['not webvtt', 'WEBVTT\n\u0000', '<script>']) {
      await expect(fixture.call(addCaption, { ...english, content: wrong })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    }
    await expect(fixture.call(addCaption, { ...english, organizationId: 'org_other' })).rejects.toMatchObject({ code: 'VIDEO_NOT_FOUND' });
    await eventually(
      async () =>
        expect(await (await fetch(url)).text()).toContain('LANGUAGE="pt-BR",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="captions/pt-br.m3u8"'),
      30_000,
    );
    expect(await (await fetch(`${base}captions/en.m3u8`)).text()).toContain('#EXTINF:8.200,\nen.vtt\n');
    const track = await fetch(`${base}captions/en.vtt`);
    expect([track.headers.get('content-type'), await track.text()]).toEqual(['text/vtt; charset=utf-8', VTT.replace('Hello', 'Hi')]);
  });

  inLongForm(test)('accepts 100 caption tracks for a video', async () => {
    const { organizationId, videoId } = await hls();
    const track = (language: string) =>
      fixture.call(addCaption, { organizationId, videoId, language, label: language, isDefault: false, content: VTT });
    await fixture.stack.rows(
      `INSERT INTO media.captions (video_id, language, label, is_default) SELECT $1, 'en-x-' || n, 'English', false FROM generate_series(1, 99) n`,
      [videoId],
    );
    await track('de');
    await expect(track('fr')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect((await track('de')).captions).toHaveLength(100);
  });

  test('answers 404 for a deleted video once it is no longer cached', async () => {
    const { organizationId, videoId, url, base } = await hls();
    expect((await fetch(url)).status).toBe(200);
    await fixture.call(deleteVideo, { organizationId, videoId });
    await eventually(async () => expect((await fetch(`${base}240p/00000.m4s`)).status).toBe(404));
    await expect(fixture.call(getVideoUrl, { organizationId, videoId })).rejects.toMatchObject({ code: 'VIDEO_NOT_FOUND' });
  });

  test('answers 503 without the storage, and continues to serve cached files', async () => {
    const { base, url } = await hls();
    await fetch(`${base}240p/00000.m4s`).then((answer) => answer.arrayBuffer());
    await fixture.stack.part('s3').kill();
    const missing = await fetch(`${base}240p/init.mp4`);
    expect([missing.status, missing.headers.get('retry-after'), missing.headers.get('cache-control')]).toEqual([503, '2', 'no-store']);
    expect([(await fetch(url)).status, (await fetch(`${base}240p/00000.m4s`)).status]).toEqual([200, 200]);
    await fixture.stack.part('s3').start();
    await eventually(async () => expect((await fetch(`${base}240p/init.mp4`)).status).toBe(200));
  });

  test('gives no address for a video that cannot be played yet', async () => {
    const input = {
      organizationId: `org_${randomUUID()}`,
      title: 'A film',
      fileName: 'a.mp4',
      size: 5,
      contentType: 'video/mp4',
      playback: 'hls' as const,
    };
    const { videoId } = await fixture.call(createVideo, input);
    expect(await fixture.call(getVideoUrl, { organizationId: input.organizationId, videoId })).toEqual({
      type: null,
      url: null,
      posterUrl: null,
      status: 'pending',
      message: 'The upload is not finished',
    });
    const signed = sign(videoId, Math.floor(Date.now() / 1000) + 100, SIGNING_KEY);
    for (const path of ['master.m3u8', 'poster.jpg', 'source'])
      expect((await fetch(`${fixture.url}/v/${videoId}/${signed}/${path}`)).status).toBe(404);
  });

  test('lists an organization’s videos in pages, newest first', async () => {
    const input = { organizationId: `org_${randomUUID()}`, fileName: 'a.mp4', size: 5, contentType: 'video/mp4', playback: 'hls' as const };
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await fixture.call(createVideo, { ...input, title: `Film ${n}` })).videoId);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await fixture.call(listVideos, { organizationId: input.organizationId, limit: 2, cursor });
      seen.push(...page.videos.map(({ videoId }) => videoId));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(ids);
    for (const wrong of [
      'x',
      '',
      Buffer.from('[1,2]').toString('base64url'),
      Buffer.from('[1e300,"vid_aaaaaaaaaaaaaaaaaaaa"]').toString('base64url'),
    ]) {
      await expect(fixture.call(listVideos, { organizationId: input.organizationId, limit: 2, cursor: wrong })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
      });
    }
  });

  test('publishes a recording once, with its copy as the source', async () => {
    const organizationId = `org_${randomUUID()}`;
    const input = { organizationId, roomId: 'room-1', recordingId: 'rec_EG_abcdefgh' };
    await expect(fixture.call(publishRecording, input)).rejects.toMatchObject({ code: 'RECORDING_NOT_FOUND' });
    const file = randomBytes(1000);
    await fixture.bucket.put('recordings/x/1.mp4', file);
    fixture.recordingFile = () => ({
      objectKey: 'recordings/x/1.mp4',
      fileName: 'class.mp4',
      title: 'Algebra',
      size: file.length,
      duration: 5,
    });
    const answers = await Promise.all([1, 2, 3].map(() => fixture.call(publishRecording, input)));
    const again = await fixture.call(publishRecording, input);
    expect(new Set([...answers, again].map(({ videoId }) => videoId)).size).toBe(1);
    expect(again).toMatchObject({ status: 'pending', progress: 0 });
    const tenant = createHash('sha256').update(organizationId).digest('hex').slice(0, 24);
    expect([...(await fixture.bucket.list(`videos/${tenant}/`))]).toEqual([[`videos/${tenant}/${again.videoId}/source`, file.length]]);
    expect((await fixture.row(again.videoId))?.['transcode_at']).not.toBeNull();

    fixture.recordingFile = () => ({ objectKey: 'recordings/gone.mp4', fileName: 'class.mp4', title: 'Algebra', size: 5, duration: 5 });
    const gone = { ...input, recordingId: 'rec_EG_gonegone' };
    await expect(fixture.call(publishRecording, gone)).rejects.toMatchObject({ code: 'RECORDING_EXPIRED' });
    const { videos } = await fixture.call(listVideos, { organizationId, limit: 10 });
    expect(videos).toMatchObject([{ title: 'Algebra', fileName: 'class.mp4', size: file.length }]);
  });

  test('resumes publishing that crashed when it is requested again', async () => {
    const input = { organizationId: `org_${randomUUID()}`, roomId: 'room-1' };
    await fixture.bucket.put('recordings/x/1.mp4', randomBytes(1000));
    fixture.recordingFile = () => ({ objectKey: 'recordings/x/1.mp4', fileName: 'class.mp4', title: 'Algebra', size: 1000, duration: 5 });
    const failpoints = ['media.publish.before-copy', 'media.publish.before-commit'];
    const dying = [];
    for (const [index, failpoint] of failpoints.entries()) {
      await fixture.startApp({ FAILPOINTS: `${failpoint}=crash` });
      dying.push(fixture.call(publishRecording, { ...input, recordingId: `rec_EG_abcdefg${index}` }, 3_000).catch(() => undefined));
      await fixture.exited();
    }
    await fixture.startApp();
    for (const index of failpoints.keys()) {
      const { videoId } = await fixture.call(publishRecording, { ...input, recordingId: `rec_EG_abcdefg${index}` });
      expect(await fixture.row(videoId)).toMatchObject({ status: 'pending', size: '1000' });
    }
    await Promise.all(dying);
  });
});

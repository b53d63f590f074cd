import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { addCaption, createVideo, deleteVideo, getVideoStatus, listVideos, quotasOf, videoFailed } from '@classroom/contracts';
import { ObjectStorage, storageConfig } from '@classroom/storage';
import { byForm, eventually, factsWith, inLongForm } from '@classroom/testing';
import { MediaFixture } from './support/media-fixture.js';
import { breakOff, head, onConnection, patch, resume } from './support/tus.js';

jest.setTimeout(240_000);

const MIB = 1024 ** 2;
const HOUR_MS = 3_600_000;
const WITH_WORKER = { ROLES: 'service,worker' };
/** An upload that stalls keeps its slot for one to two minutes. */
const SLOTS_OF_ORGANIZATION = 16;

describe('uploads', () => {
  let fixture: MediaFixture;
  let storage: ObjectStorage;

  beforeAll(async () => {
    fixture = await MediaFixture.start();
    await fixture.startApp();
    const { urls, secrets } = fixture.stack;
    storage = new ObjectStorage(
      storageConfig.parse({
        S3_ENDPOINT: urls.s3,
        S3_BUCKET: 'classroom',
        S3_ACCESS_KEY_ID: secrets['s3AccessKeyId'],
        S3_SECRET_ACCESS_KEY: secrets['s3SecretAccessKey'],
      }),
    );
  });

  afterAll(async () => {
    storage?.close();
    await fixture?.stop();
  });

  async function create(size: number, organizationId = `org_${randomUUID()}`) {
    const input = { organizationId, title: 'A film', fileName: 'film.mp4', size, contentType: 'video/mp4', playback: 'hls' as const };
    const { videoId, upload } = await fixture.call(createVideo, input);
    const tenant = createHash('sha256').update(organizationId).digest('hex').slice(0, 24);
    return { organizationId, videoId, prefix: `videos/${tenant}/${videoId}/`, ...upload };
  }

  /** Sends these bytes and then nothing. @returns the status, once the service answers */
  async function stall(url: string, offset: number, bytes: Buffer): Promise<number> {
    const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array(bytes)) });
    const headers = { 'tus-resumable': '1.0.0', 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' };
    return (await fetch(url, { method: 'PATCH', headers, body, duplex: 'half' } as RequestInit)).status;
  }

  async function expectStored({ videoId, prefix, organizationId }: Awaited<ReturnType<typeof create>>, file: Buffer): Promise<void> {
    await eventually(
      async () => expect(await fixture.row(videoId)).toMatchObject({ status: 'pending', size: String(file.length) }),
      30_000,
    );
    expect((await fixture.row(videoId))?.['transcode_at']).not.toBeNull();
    expect((await buffer(await storage.read(`${prefix}source`))).equals(file)).toBe(true);
    await eventually(async () => expect([...(await fixture.bucket.list(prefix)).keys()]).toEqual([`${prefix}source`]));
    expect(await fixture.bucket.uploads(prefix)).toEqual([]);
    expect(await fixture.call(getVideoStatus, { organizationId, videoId })).toMatchObject({ status: 'pending', progress: 0 });
  }

  test('exist as soon as they are created, and are complete after the last byte', async () => {
    const file = randomBytes(20 * MIB + 7);
    const video = await create(file.length);
    expect(video).toMatchObject({ protocol: 'tus', url: expect.stringMatching(/\/uploads\/[A-Za-z0-9]{32}$/) });
    const begun = await head(video.url);
    expect([begun.status, begun.offset, begun.headers.get('upload-length')]).toEqual([200, 0, String(file.length)]);
    expect(new Date(begun.headers.get('upload-expires') ?? '').getTime()).toBe(Math.floor(Date.parse(video.expiresAt) / 1000) * 1000);
    expect(await patch(video.url, 0, file)).toMatchObject({ status: 204, offset: file.length });
    await expectStored(video, file);
    // A client that lost the last response asks again.
    expect(await head(video.url)).toMatchObject({ status: 200, offset: file.length });
    expect(await patch(video.url, file.length, Buffer.alloc(0))).toMatchObject({ status: 204, offset: file.length });
    expect((await patch(video.url, 0, file.subarray(0, 10))).status).toBe(409);
    expect((await patch(video.url, file.length, Buffer.from('more'))).status).toBe(413);
  });

  test.each([
    [1, 1],
    [700_001, 3 * MIB],
    [8 * MIB, 16 * MIB],
    [5 * MIB, 8 * MIB + 1],
  ])('work in pieces of %i bytes, %i bytes in total', async (piece, size) => {
    const file = randomBytes(size);
    const video = await create(size);
    for (let at = 0; at < size; at += piece) {
      expect(await patch(video.url, at, file.subarray(at, at + piece))).toMatchObject({ status: 204, offset: Math.min(at + piece, size) });
    }
    await expectStored(video, file);
  });

  inLongForm(test)('keep the bytes that arrived before a connection broke', async () => {
    const file = randomBytes(20 * MIB);
    const video = await create(file.length);
    let known = 0;
    for (const sent of [100_000, 5 * MIB, 9 * MIB, 1]) {
      const goal = known + sent;
      await eventually(async () => {
        const { offset } = await head(video.url);
        expect(offset).toBeGreaterThanOrEqual(known);
        expect(offset).toBeLessThanOrEqual(goal);
        known = offset;
        // If a request ended before the server read it, none of its bytes arrived.
        if (offset < goal) await breakOff(video.url, offset, file.subarray(offset), goal - offset);
        expect(offset).toBe(goal);
      });
    }
    await resume(video.url, file, 3 * MIB);
    await expectStored(video, file);
  });

  test('are not changed by a wrong offset, too many bytes or other methods', async () => {
    const file = randomBytes(1000);
    const video = await create(file.length);
    await patch(video.url, 0, file.subarray(0, 400));
    for (const offset of [0, 399, 401, 1000]) expect((await patch(video.url, offset, file.subarray(400))).status).toBe(409);
    expect((await patch(video.url, 400, randomBytes(601))).status).toBe(413);
    const headers = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' };
    expect((await fetch(video.url, { method: 'PATCH', headers, body: new Uint8Array(file.subarray(400)) })).status).toBe(400);
    expect((await patch(video.url, 400, file.subarray(400), { 'content-type': 'text/plain' })).status).toBe(400);
    for (const version of ['0.2.2', '2.0.0', '']) {
      const refused = await patch(video.url, 400, file.subarray(400), { 'tus-resumable': version });
      expect([refused.status, refused.headers.get('tus-version')]).toEqual([412, '1.0.0']);
    }
    const unversioned = await fetch(video.url, { method: 'HEAD' });
    expect([unversioned.status, unversioned.headers.get('tus-version')]).toEqual([412, '1.0.0']);
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      expect((await fetch(video.url, { method, headers: { 'tus-resumable': '1.0.0' } })).status).toBe(405);
    }
    expect(
      (await fetch(new URL('/uploads', video.url), { method: 'POST', headers: { 'tus-resumable': '1.0.0', 'upload-length': '5' } })).status,
    ).toBe(404);
    for (const other of ['a'.repeat(32), '..%2f..%2fsource', `${video.url.slice(-32)}.info`, 'x']) {
      expect((await head(new URL(`/uploads/${other}`, video.url).href)).status).toBe(404);
    }
    expect(await head(video.url)).toMatchObject({ status: 200, offset: 400 });
    await resume(video.url, file, 1000);
    await expectStored(video, file);
  });

  test('work where a network permits only POST', async () => {
    const file = randomBytes(1000);
    const video = await create(file.length);
    const post = (method: string, headers: Record<string, string> = {}, body?: Buffer) =>
      fetch(video.url, {
        method: 'POST',
        headers: { 'tus-resumable': '1.0.0', 'x-http-method-override': method, ...headers },
        ...(body && { body: new Uint8Array(body) }),
      });
    const type = { 'content-type': 'application/offset+octet-stream' };
    const first = await post('PATCH', { ...type, 'upload-offset': '0' }, file.subarray(0, 400));
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '400']);
    const asked = await post('head');
    expect([asked.status, asked.headers.get('upload-offset'), asked.headers.get('upload-length')]).toEqual([200, '400', '1000']);
    for (const method of ['DELETE', 'GET', 'OPTIONS', 'x']) expect((await post(method)).status).toBe(405);
    expect((await post('PATCH', { ...type, 'upload-offset': '400' }, file.subarray(400))).status).toBe(204);
    await expectStored(video, file);
    expect((await post('HEAD')).headers.get('upload-offset')).toBe('1000');
  });

  inLongForm(test)('do not end the process when it stops while bytes arrive', async () => {
    const video = await create(64 * MIB);
    const sender = request(video.url, {
      method: 'PATCH',
      headers: {
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
        'content-length': 64 * MIB,
      },
    }).on('error', () => undefined);
    const sending = setInterval(() => sender.write(Buffer.alloc(1000)), 1);
    await setTimeout(500);
    const code = await fixture.stopApp('SIGTERM');
    clearInterval(sending);
    sender.destroy();
    await fixture.startApp();
    expect(code).toBe(0);
  });

  inLongForm(test)('are stored correctly when several clients send at the same time', async () => {
    const file = randomBytes(18 * MIB);
    const video = await create(file.length);
    await Promise.all([1, 2, 3].map(() => resume(video.url, file, 5 * MIB + 1)));
    await expectStored(video, file);
  });

  test('keep all received bytes when the service is stopped, and all acknowledged ones when it is killed', async () => {
    const file = randomBytes(24 * MIB);
    const video = await create(file.length);
    expect(await patch(video.url, 0, file.subarray(0, 9 * MIB))).toMatchObject({ offset: 9 * MIB });
    const interrupted = patch(video.url, 9 * MIB, file.subarray(9 * MIB, 20 * MIB)).catch(() => undefined);
    await setTimeout(100);
    await fixture.stopApp('SIGKILL');
    await interrupted;
    await fixture.startApp();
    expect((await head(video.url)).offset).toBeGreaterThanOrEqual(9 * MIB);
    // A slow sender, in the middle of a part. Bytes in flight at the moment of the stop may be lost; then another round sends them.
    await eventually(async () => {
      const { offset } = await head(video.url);
      const sending = stall(video.url, offset, file.subarray(offset, offset + MIB)).catch(() => undefined);
      await setTimeout(500);
      await fixture.stopApp('SIGTERM');
      await sending;
      await fixture.startApp();
      expect(await head(video.url)).toMatchObject({ status: 200, offset: offset + MIB });
    });
    await resume(video.url, file, 11 * MIB);
    await expectStored(video, file);
  });

  inLongForm(test)('end when they stall, keep what arrived, and leave slots to other organizations', async () => {
    const file = randomBytes(6 * MIB);
    const [video, small] = [await create(file.length), await create(MIB)];
    const inSlots = [video];
    while (inSlots.length < SLOTS_OF_ORGANIZATION) inSlots.push(await create(file.length, video.organizationId));
    const further = await create(file.length, video.organizationId);
    const stalled = inSlots.map(async ({ url }) => {
      // One is refused as long as the request below has its slot.
      do await stall(url, 0, file.subarray(0, 2 * MIB)).catch(() => 0);
      while ((await head(url)).offset === 0);
    });
    // Without bytes, so that it changes nothing if it comes before the others.
    await eventually(async () => expect((await patch(further.url, 0, Buffer.alloc(0))).status).toBe(503));
    expect((await patch(small.url, 0, randomBytes(MIB))).status).toBe(204);
    await Promise.all(stalled);
    expect(await head(video.url)).toMatchObject({ status: 200, offset: 2 * MIB });
    await resume(video.url, file, 11 * MIB);
    await expectStored(video, file);
  });

  inLongForm(test)('fail with a 5xx while the storage is unreachable, and continue afterwards', async () => {
    const file = randomBytes(30 * MIB);
    const video = await create(file.length);
    await patch(video.url, 0, file.subarray(0, 3 * MIB));
    const s3 = fixture.stack.part('s3');
    const sending = resume(video.url, file, 10 * MIB);
    await setTimeout(100);
    await s3.kill();
    // A restarted service has no cached metadata: it must not report an upload as missing because it cannot read it.
    await fixture.stopApp('SIGKILL');
    await fixture.startApp();
    expect((await head(video.url)).status).toBe(503);
    // The next request on the same connection does not wait behind a body that was not read.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect([0, 503]).toContain(await onConnection(agent, video.url, 'PATCH', file.subarray(0, 6 * MIB)));
    expect(await onConnection(agent, video.url, 'HEAD')).toBe(503);
    agent.destroy();
    await expect(create(5)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await s3.start();
    await sending;
    await expectStored(video, file);
  });

  test.each(
    byForm({
      short: [['media.upload.before-complete', 'media.upload.before-commit']],
      long: [
        ['media.upload.before-complete', 'media.upload.before-commit'],
        ['media.upload.before-commit', 'media.upload.before-complete'],
      ],
    }),
  )('are completed by the next request after a crash at %s, and by the sweep after one at %s', async (first, second) => {
    const file = randomBytes(6 * MIB);
    const crashed = async (at: string) => {
      await fixture.startApp({ FAILPOINTS: `${at}=crash` });
      const video = await create(file.length);
      await patch(video.url, 0, file).catch(() => undefined);
      await fixture.exited();
      expect(await fixture.row(video.videoId)).toMatchObject({ status: 'uploading' });
      return video;
    };
    const [asked, swept] = [await crashed(first), await crashed(second)];
    await fixture.startApp();
    expect(await head(asked.url)).toMatchObject({ status: 200, offset: file.length });
    await expectStored(asked, file);
    await fixture.startApp(WITH_WORKER);
    // The worker of the same process takes it immediately.
    await eventually(async () => expect((await fixture.row(swept.videoId))?.['status']).not.toBe('uploading'));
  });

  inLongForm(test)('fail after they expire, and leave no bytes', async () => {
    const video = await create(20 * MIB);
    await patch(video.url, 0, randomBytes(9 * MIB));
    await fixture.startApp(WITH_WORKER);
    await fixture.moveClock(25 * HOUR_MS);
    await eventually(async () => expect((await fixture.row(video.videoId))?.['status']).toBe('failed'));
    const { organizationId, videoId } = video;
    expect(await factsWith(fixture.stack, 'media', { videoId })).toMatchObject([{ type: videoFailed.type }]);
    expect(await fixture.call(getVideoStatus, { organizationId, videoId })).toMatchObject({
      status: 'failed',
      message: 'The upload was not finished in time',
    });
    expect((await head(video.url)).status).toBe(410);
    expect((await patch(video.url, 9 * MIB, randomBytes(10))).status).toBe(410);
    expect([...(await fixture.bucket.list(video.prefix)).keys()]).toEqual([]);
    expect(await fixture.bucket.uploads(video.prefix)).toEqual([]);
    expect((await fixture.call(listVideos, { organizationId, limit: 1 })).usage).toMatchObject({ bytes: 0 });
    await fixture.moveClock(0);
  });

  inLongForm(test)('end as soon as their video is deleted, and are erased once the storage is back', async () => {
    const video = await create(20 * MIB);
    const { organizationId, videoId } = video;
    await patch(video.url, 0, randomBytes(9 * MIB));
    await fixture.startApp(WITH_WORKER);
    await fixture.stack.part('s3').kill();
    const logged = fixture.log().length;
    expect(await fixture.call(deleteVideo, { organizationId, videoId })).toMatchObject({ videoId });
    await expect(fixture.call(deleteVideo, { organizationId, videoId })).rejects.toMatchObject({ code: 'VIDEO_NOT_FOUND' });
    await expect(fixture.call(getVideoStatus, { organizationId, videoId })).rejects.toMatchObject({ code: 'VIDEO_NOT_FOUND' });
    expect((await head(video.url)).status).toBe(404);
    await eventually(() => expect(fixture.log().slice(logged)).toContain('"work":"erase-videos"'));
    await fixture.stack.part('s3').start();
    await eventually(
      async () =>
        expect([...(await fixture.bucket.list(video.prefix)).keys(), ...(await fixture.bucket.uploads(video.prefix))]).toEqual([]),
      60_000,
    );
    expect(await fixture.row(videoId)).toBeDefined();
    await fixture.bucket.put(`${video.prefix}1/late.m4s`, Buffer.from('written late'));
    await fixture.moveClock(HOUR_MS);
    await eventually(async () => expect(await fixture.row(videoId)).toBeUndefined());
    expect([...(await fixture.bucket.list(video.prefix)).keys()]).toEqual([]);
    await fixture.moveClock(0);
  });

  test('are refused beyond the quotas of the organization, also if they are created at the same time', async () => {
    const organizationId = `org_${randomUUID()}`;
    const size = 300 * MIB;
    fixture.quotas = { videoGib: 1, videoMinutes: null };
    const created = await Promise.allSettled(Array.from({ length: 8 }, () => create(size, organizationId)));
    const [first, ...others] = created.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []));
    expect(others).toHaveLength(2);
    const refused = {
      code: 'QUOTA_EXCEEDED',
      details: [{ path: 'size', message: expect.stringMatching(/0\.9 GiB of 1\.0 GiB.*0\.3 GiB/) }],
    };
    for (const it of created) if (it.status === 'rejected') expect(it.reason).toMatchObject(refused);
    await create(size);
    // A caption track counts too, and a deleted video does not any more.
    const content = `WEBVTT\n\n00:00.000 --> 00:01.000\n${'ü'.repeat(1_000)}\n`;
    const videoId = others[0]?.videoId ?? '';
    await fixture.call(addCaption, { organizationId, videoId, language: 'de', label: 'Deutsch', content });
    await fixture.call(addCaption, { organizationId, videoId, language: 'de', label: 'Deutsch', content });
    await fixture.call(deleteVideo, { organizationId, videoId: first?.videoId ?? '' });
    const { usage } = await fixture.call(listVideos, { organizationId, limit: 1 });
    expect(usage).toEqual({ bytes: 2 * size + Buffer.byteLength(content), maxBytes: 1024 * MIB, minutes: 0, maxMinutes: 20_000 });
    await create(size, organizationId);
    fixture.quotas = { videoGib: 0, videoMinutes: null };
    const more = fixture.call(addCaption, { organizationId, videoId, language: 'en', label: 'English', content });
    await expect(more).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED', details: [{ path: 'content' }] });
    fixture.quotas = { videoGib: null, videoMinutes: 0 };
    await expect(create(1)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED', details: [{ path: 'quotas.videoMinutes' }] });
    fixture.quotas = quotasOf(null);
    await create(1);
  });

  test('are allowed from pages of verified domains, which may read the tus headers', async () => {
    const video = await create(5);
    const preflight = { method: 'OPTIONS', headers: { origin: 'https://school.example', 'access-control-request-method': 'PATCH' } };
    const allowed = await fetch(video.url, preflight);
    expect([
      allowed.status,
      allowed.headers.get('access-control-allow-origin'),
      allowed.headers.get('access-control-allow-methods'),
    ]).toEqual([204, 'https://school.example', 'HEAD, PATCH, POST']);
    const sent = await patch(video.url, 0, Buffer.from('12345'), { origin: 'https://school.example' });
    expect(sent.headers.get('access-control-allow-origin')).toBe('https://school.example');
    expect(sent.headers.get('access-control-expose-headers')?.toLowerCase()).toContain('upload-offset');
    const other = await head(video.url, { origin: 'https://other.example' });
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
    const unknown = `${video.url.slice(0, -32)}${'x'.repeat(32)}`;
    for (const method of ['HEAD', 'OPTIONS'])
      expect(
        (await fetch(unknown, { ...preflight, method, headers: { ...preflight.headers, origin: 'https://unknown.example' } })).status,
      ).toBe(404);
    expect(fixture.lookups).not.toContain('unknown.example');
    const capabilities = await fetch(video.url, { method: 'OPTIONS' });
    expect([capabilities.status, capabilities.headers.get('tus-version'), capabilities.headers.get('tus-extension')]).toEqual([
      204,
      '1.0.0',
      'expiration',
    ]);
  });

  test('are logged without the organization and the upload’s id', async () => {
    const video = await create(5);
    expect(fixture.log()).not.toContain(video.organizationId);
    expect(fixture.log()).not.toContain(video.url.slice(-32));
  });
});

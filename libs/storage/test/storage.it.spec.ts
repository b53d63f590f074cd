import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { CreateMultipartUploadCommand, S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import { inParallel } from '@classroom/platform';
import { eventually, TestStack } from '@classroom/testing';
import { ObjectStorage, type StorageConfig } from '../src/index.js';

const MB = 1024 ** 2;

/** States of a process's threads, as the kernel names them: `T` is stopped. */
const statesOf = (pid: number) =>
  new Set(
    readdirSync(`/proc/${pid}/task`).map(
      (thread) => /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8'))?.[1],
    ),
  );

/** What recordings and downloads require from an S3 server, tested on a real one. */
describe('object storage', () => {
  let stack: TestStack;
  let config: StorageConfig;
  let storage: ObjectStorage;

  beforeAll(async () => {
    stack = await TestStack.parts(['s3']);
    config = {
      S3_ENDPOINT: stack.urls.s3,
      S3_REGION: 'us-east-1',
      S3_BUCKET: 'test-bucket',
      S3_ACCESS_KEY_ID: stack.secrets['s3AccessKeyId'] ?? '',
      S3_SECRET_ACCESS_KEY: stack.secrets['s3SecretAccessKey'] ?? '',
      S3_FORCE_PATH_STYLE: true,
    };
    storage = new ObjectStorage(config);
    await Promise.all([storage.ensureBucket(), storage.ensureBucket()]);
  });

  afterAll(async () => {
    storage?.close();
    await stack?.stop();
  });

  const folder = () => `${randomUUID()}/`;
  const put = (key: string, content = 'x') => storage.upload(key, Readable.from([Buffer.from(content)]), { contentType: 'text/plain' });
  async function keys(prefix: string): Promise<string[]> {
    const found: string[] = [];
    for await (const { key } of storage.list(prefix)) found.push(key);
    return found;
  }

  test('stores a stream of 20 MB in parts, and reads it as a whole and in ranges', async () => {
    const key = `${folder()}class.mp4`;
    const blocks = Array.from({ length: 20 }, () => randomBytes(MB));
    const { size, etag } = await storage.upload(key, Readable.from(blocks), { contentType: 'video/mp4' });
    expect(size).toBe(20 * MB);
    // The ETag of S3 contains the number of parts.
    expect(etag).toMatch(/^[0-9a-f]{32}-3$/);
    expect(await storage.head(key)).toMatchObject({ size: 20 * MB, contentType: 'video/mp4', lastModified: expect.any(Date) });
    expect((await buffer(await storage.read(key))).equals(Buffer.concat(blocks))).toBe(true);
    const range = await buffer(await storage.read(key, { start: 8 * MB - 1, end: 8 * MB }));
    expect([...range]).toEqual([blocks[7]?.[MB - 1], blocks[8]?.[0]]);
    expect(await buffer(await storage.read(key, { start: 20 * MB - 3 }))).toHaveLength(3);
  });

  test('stores a file, and copies it', async () => {
    const local = await mkdtemp(join(tmpdir(), 'storage-'));
    const prefix = folder();
    await writeFile(join(local, 'a'), 'a file');
    await storage.upload(`${prefix}a & ü+.txt`, { file: join(local, 'a') }, { contentType: 'text/plain' });
    await storage.copy(`${prefix}a & ü+.txt`, `${prefix}b`);
    expect(await text(await storage.read(`${prefix}b`))).toBe('a file');
    expect(await storage.head(`${prefix}b`)).toMatchObject({ size: 6, contentType: 'text/plain' });
    await expect(storage.upload(`${prefix}c`, { file: join(local, 'none') }, { contentType: 'text/plain' })).rejects.toMatchObject({
      code: 'ENOENT',
    });
    await rm(local, { recursive: true });
  });

  test('copies an object in parts', async () => {
    const prefix = folder();
    const bytes = randomBytes(12 * MB + 1);
    await storage.upload(`${prefix}a`, Readable.from([bytes]), { contentType: 'video/mp4' });
    await storage.copy(`${prefix}a`, `${prefix}b`, 5 * MB);
    expect((await buffer(await storage.read(`${prefix}b`))).equals(bytes)).toBe(true);
    expect(await storage.head(`${prefix}b`)).toMatchObject({ size: bytes.length, contentType: 'video/mp4' });
    expect(await storage.abortUploads(prefix)).toBe(0);
    // The part is smaller than S3 allows, so the copy cannot complete.
    await expect(storage.copy(`${prefix}a`, `${prefix}c`, MB)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect([await keys(prefix), await storage.abortUploads(prefix)]).toEqual([[`${prefix}a`, `${prefix}b`], 0]);
  });

  test('reports a missing object', async () => {
    const key = `${folder()}none`;
    expect(await storage.head(key)).toBeUndefined();
    await expect(storage.read(key)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(storage.copy(key, `${key}2`)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(storage.delete(key)).resolves.toBeUndefined();
    expect(await storage.deletePrefix(`${key}/`)).toBe(0);
  });

  test('keeps nothing of a source that fails', async () => {
    const prefix = folder();
    async function* broken() {
      for (let n = 0; n < 12; n += 1) yield randomBytes(MB);
      throw new Error('the encoder died');
    }
    await expect(storage.upload(`${prefix}a`, Readable.from(broken()), { contentType: 'video/mp4' })).rejects.toThrow('the encoder died');
    expect(await keys(prefix)).toEqual([]);
    expect(await storage.abortUploads(prefix)).toBe(0);
  });

  test('keeps nothing of an aborted upload, and destroys its source', async () => {
    const prefix = folder();
    const stop = new AbortController();
    let sent = 0;
    // After 20 MB it calls the upload off and sends nothing more, like an encoder that hangs.
    const source = new Readable({
      read() {
        if ((sent += 1) <= 20) this.push(randomBytes(MB));
        else stop.abort(new Error('called off'));
      },
    });
    await expect(storage.upload(`${prefix}a`, source, { contentType: 'video/mp4', signal: stop.signal })).rejects.toThrow('called off');
    expect(source.destroyed).toBe(true);
    expect(await keys(prefix)).toEqual([]);
    expect(await storage.abortUploads(prefix)).toBe(0);
  });

  test('aborts unfinished uploads by prefix and age', async () => {
    const [ours, other] = [folder(), folder()];
    const { S3_ACCESS_KEY_ID: accessKeyId = '', S3_SECRET_ACCESS_KEY: secretAccessKey = '' } = config;
    const raw = new S3Client({
      endpoint: config.S3_ENDPOINT,
      region: config.S3_REGION,
      forcePathStyle: true,
      credentials: { accessKeyId, secretAccessKey },
    });
    for (const Key of [`${ours}a`, `${ours}b`, `${other}a`]) {
      const { UploadId } = await raw.send(new CreateMultipartUploadCommand({ Bucket: config.S3_BUCKET, Key }));
      await raw.send(new UploadPartCommand({ Bucket: config.S3_BUCKET, Key, UploadId, PartNumber: 1, Body: 'part' }));
    }
    raw.destroy();
    expect(await storage.abortUploads(ours, new Date(Date.now() - 3_600_000))).toBe(0);
    expect(await storage.abortUploads(ours)).toBe(2);
    expect(await storage.abortUploads(ours)).toBe(0);
    expect(await storage.abortUploads(other, new Date(Date.now() + 3_600_000))).toBe(1);
  });

  test('lists and deletes more than a page of objects, and keeps other prefixes', async () => {
    const prefix = folder();
    const names = Array.from({ length: 1_050 }, (_, n) => `${prefix}a/${String(n).padStart(4, '0')}`);
    await inParallel([...names, `${prefix}ab`, `${prefix}b/c`], 20, async (key) => void (await put(key)));
    expect(await keys(`${prefix}a/`)).toEqual(names);
    for (const refused of ['', '/', `${prefix}a`]) await expect(storage.deletePrefix(refused)).rejects.toThrow(RangeError);
    expect(await storage.deletePrefix(`${prefix}a/`)).toBe(1_050);
    expect(await keys(prefix)).toEqual([`${prefix}ab`, `${prefix}b/c`]);
    await storage.delete(`${prefix}ab`);
    expect(await keys(prefix)).toEqual([`${prefix}b/c`]);
  });

  describe('a link', () => {
    let key: string;
    beforeAll(async () => {
      key = `${folder()}a class.mp4`;
      await storage.upload(key, Readable.from([Buffer.from('0123456789')]), { contentType: 'video/mp4' });
    });

    test('gives the whole object and ranges, and names the file', async () => {
      const link = await storage.presignGet(key, { expiresIn: 600, downloadName: 'Übung.mp4', at: new Date() });
      const whole = await fetch(link);
      expect([whole.status, await whole.text()]).toEqual([200, '0123456789']);
      expect(whole.headers.get('content-type')).toBe('video/mp4');
      expect(whole.headers.get('content-disposition')).toBe(`attachment; filename="Ubung.mp4"; filename*=UTF-8''%C3%9Cbung.mp4`);
      const part = await fetch(link, { headers: { range: 'bytes=2-4' } });
      expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 2-4/10', '234']);
      const end = await fetch(link, { headers: { range: 'bytes=-2' } });
      expect([end.status, await end.text()]).toEqual([206, '89']);
    });

    test('is refused once it has expired', async () => {
      const link = await storage.presignGet(key, { expiresIn: 60, at: new Date(Date.now() - 120_000) });
      expect((await fetch(link)).status).toBe(403);
    });

    test('is refused when anything in it was changed', async () => {
      const link = await storage.presignGet(key, { expiresIn: 60, downloadName: 'a.mp4', at: new Date() });
      await put(`${folder()}other`);
      const changes = [
        link.replace('X-Amz-Expires=60', 'X-Amz-Expires=3600'),
        link.replace('a%20class.mp4', 'b%20class.mp4'),
        link.replace('a.mp4', 'b.mp4'),
        link.replace(/X-Amz-Signature=[^&]*/, `X-Amz-Signature=${'0'.repeat(64)}`),
        link.split('?')[0] ?? '',
      ];
      expect(new Set([link, ...changes]).size).toBe(6);
      expect(await Promise.all(changes.map(async (changed) => (await fetch(changed)).status))).toEqual([403, 403, 403, 403, 403]);
      expect((await fetch(link, { method: 'DELETE' })).status).toBe(403);
    });

    test('begins with the public address', async () => {
      const publicStorage = new ObjectStorage({ ...config, S3_PUBLIC_URL: 'https://files.school.example' });
      const link = new URL(await publicStorage.presignGet(key, { expiresIn: 60, at: new Date() }));
      expect([link.origin, link.pathname]).toEqual(['https://files.school.example', `/test-bucket/${encodeURI(key)}`]);
      publicStorage.close();
    });

    test('lasts an hour at most', () => {
      expect(() => storage.presignGet(key, { expiresIn: 3_601, at: new Date() })).toThrow(RangeError);
    });
  });

  test('reports a wrong key or bucket as SERVICE_UNAVAILABLE', async () => {
    for (const wrong of [{ S3_SECRET_ACCESS_KEY: 'not the secret of it' }, { S3_BUCKET: 'no-such-bucket' }]) {
      const other = new ObjectStorage({ ...config, ...wrong });
      await expect(other.read('a')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      other.close();
    }
  });

  test('reports an unreachable or hanging server in time, and works again afterwards', async () => {
    const key = `${folder()}a`;
    await put(key, 'before');
    const s3 = stack.part('s3');
    process.kill(s3.pid ?? 0, 'SIGSTOP');
    // The signal stops one thread after the other: until then, another may answer.
    await eventually(() => expect(statesOf(s3.pid ?? 0)).toEqual(new Set(['T'])));
    await expect(storage.ping()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(storage.head(key)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    process.kill(s3.pid ?? 0, 'SIGCONT');
    expect(await storage.head(key)).toBeDefined();

    const endless = new Readable({
      read() {
        this.push(Buffer.alloc(MB));
      },
    });
    const uploading = storage.upload(`${key}3`, endless, { contentType: 'video/mp4' });
    const outcome = expect(uploading).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await setTimeout(200);
    await s3.kill();
    await outcome;
    expect(endless.destroyed).toBe(true);
    await expect(storage.head(key)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(put(`${key}2`)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(keys('')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });

    await s3.start();
    expect(await text(await storage.read(key))).toBe('before');
    // The upload that the client could not abort while the storage was down.
    expect(await storage.abortUploads(key)).toBe(1);
  });
});

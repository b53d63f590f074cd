import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import { registerBodyParsers } from '../src/http/body-parsers.js';
import { registerMediaProxy } from '../src/videos/media-proxy.js';

const MIB = 1024 ** 2;

/** Uploads and playback through the gateway's own parsers and limits, to a service that is played here. */
describe('the way to the media service', () => {
  let media: Server;
  let gateway: FastifyInstance;
  let url: string;
  let answer: (request: IncomingMessage) => Promise<{ status?: number; headers?: Record<string, string>; body?: Buffer }>;
  const aborted: string[] = [];

  beforeAll(async () => {
    media = createServer((incoming, response) => {
      incoming.on('aborted', () => aborted.push(incoming.url ?? ''));
      void answer(incoming).then(({ status = 200, headers = {}, body }) => response.writeHead(status, headers).end(body));
    }).listen(0, '127.0.0.1');
    await once(media, 'listening');
    gateway = Fastify({ bodyLimit: MIB, routerOptions: { maxParamLength: 1024 } });
    registerBodyParsers(gateway);
    await registerMediaProxy(gateway, `http://127.0.0.1:${(media.address() as AddressInfo).port}`);
    url = await gateway.listen({ port: 0, host: '127.0.0.1' });
  });

  afterAll(async () => {
    await gateway.close();
    media.closeAllConnections();
    media.close();
  });

  const digest = (body: Buffer) => createHash('sha256').update(body).digest('hex');

  test.each(['application/offset+octet-stream', 'application/json', undefined])('a large body of type %s passes as it is', async (type) => {
    const file = randomBytes(20 * MIB);
    answer = async (incoming) => {
      const { method = '', url: path = '', headers } = incoming;
      const body = digest(await buffer(incoming));
      return { status: 204, headers: { 'x-seen': JSON.stringify([method, path, headers['upload-offset'], headers['content-length'], body]), 'upload-offset': '5' } };
    };
    const headers = { 'tus-resumable': '1.0.0', 'upload-offset': '0', ...(type ? { 'content-type': type } : {}) };
    const reply = await fetch(`${url}/uploads/abc`, { method: 'PATCH', headers, body: file });
    expect([reply.status, reply.headers.get('upload-offset')]).toEqual([204, '5']);
    expect(JSON.parse(reply.headers.get('x-seen') ?? '')).toEqual(['PATCH', '/uploads/abc', '0', String(file.length), digest(file)]);
  }, 30_000);

  test('a refusal before the body has come reaches the client', async () => {
    answer = async () => ({ status: 409, headers: { connection: 'close' } });
    const reply = await fetch(`${url}/uploads/abc`, { method: 'PATCH', body: randomBytes(100_000), headers: { 'content-type': 'application/offset+octet-stream' } });
    expect(reply.status).toBe(409);
  });

  test('whoever hangs up is heard of', async () => {
    answer = async (incoming) => {
      await buffer(incoming).catch(() => undefined);
      return {};
    };
    const sending = request(`${url}/uploads/broken`, { method: 'PATCH', headers: { 'content-length': 1000, 'content-type': 'application/offset+octet-stream' } });
    sending.on('error', () => undefined);
    sending.write('five!');
    await setTimeout(100);
    sending.destroy();
    for (let n = 0; n < 50 && aborted.length === 0; n += 1) await setTimeout(50);
    expect(aborted).toEqual(['/uploads/broken']);
  });

  test('ranges, preflights and heads pass, and so does a path as it was written', async () => {
    answer = async ({ method = '', url: path = '', headers }) => ({
      status: headers.range ? 206 : 200,
      headers: { 'x-seen': `${method} ${path}`, 'content-range': headers.range ? 'bytes 0-1/10' : '', 'content-length': headers.range ? '2' : '0' },
      ...(headers.range ? { body: Buffer.from('ab') } : {}),
    });
    const part = await fetch(`${url}/v/vid_a/sig.k/240p/00000.m4s?x=1`, { headers: { range: 'bytes=0-1' } });
    expect([part.status, part.headers.get('content-range'), await part.text(), part.headers.get('x-seen')]).toEqual([
      206, 'bytes 0-1/10', 'ab', 'GET /v/vid_a/sig.k/240p/00000.m4s?x=1',
    ]);
    for (const method of ['HEAD', 'OPTIONS']) {
      expect((await fetch(`${url}/v/vid_a/sig.k/master.m3u8`, { method })).headers.get('x-seen')).toBe(`${method} /v/vid_a/sig.k/master.m3u8`);
    }
  });

  test('without the service it is a 503 at once, and a 503 of its own is passed on', async () => {
    let asked = 0;
    answer = async () => {
      asked += 1;
      return { status: 503, headers: { 'retry-after': '2' } };
    };
    const passed = await fetch(`${url}/v/x`);
    expect([passed.status, passed.headers.get('retry-after'), asked]).toEqual([503, '2', 1]);
    media.closeAllConnections();
    media.close();
    const away = await fetch(`${url}/v/x`);
    expect([away.status, await away.json()]).toMatchObject([503, { success: false, error: 'SERVICE_UNAVAILABLE' }]);
  });
});

import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, request, type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { eventually } from '@classroom/testing';
import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import Fastify, { type FastifyInstance } from 'fastify';
import { registerBodyParsers, cutOffSlowSenders } from '../src/http/bodies.js';
import { registerMediaProxy, UPLOADS } from '../src/media/media-proxy.js';

jest.setTimeout(120_000);

const MIB = 1024 ** 2;
const TIMEOUT_MS = 500;
const BINARY = { 'content-type': 'application/offset+octet-stream' };

/** Uploads and playback through the gateway's own parsers and limits, to a service that this test simulates. */
describe('the media proxy', () => {
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
    // Otherwise it may close a kept connection at the moment in which the proxy sends an upload over it, which the proxy does not repeat.
    media.keepAliveTimeout = 0;
    await once(media, 'listening');
    gateway = Fastify({ bodyLimit: MIB, routerOptions: { maxParamLength: 1024 } });
    const span = trace.getTracer('test').startSpan('request');
    gateway.addHook(
      'onRequest',
      async (incoming) => void Object.assign(incoming, { requestContext: { requestId: 'request', context: ROOT_CONTEXT, span } }),
    );
    registerBodyParsers(gateway);
    cutOffSlowSenders(gateway, TIMEOUT_MS, UPLOADS);
    gateway.post('/echo', (incoming, reply) => reply.send(incoming.body));
    const upstream = `http://127.0.0.1:${(media.address() as AddressInfo).port}`;
    await registerMediaProxy(gateway, upstream, { own: () => 'of the gateway' });
    url = await gateway.listen({ port: 0, host: '127.0.0.1' });
  });

  afterAll(async () => {
    await gateway.close();
    media.closeAllConnections();
    media.close();
  });

  /** A request whose errors are ignored here; tests check them where they matter. */
  const begin = (method: string, path: string, headers: OutgoingHttpHeaders, agent?: Agent) =>
    request(`${url}${path}`, { method, headers, agent })
      .on('error', () => undefined)
      .on('response', (reply) => reply.on('error', () => undefined).resume());
  const closed = (sending: ClientRequest) => new Promise((resolve) => sending.once('close', resolve));

  const digest = (body: Buffer) => createHash('sha256').update(body).digest('hex');

  test.each(['application/offset+octet-stream', 'application/json', undefined])(
    'passes on a large body of type %s unchanged',
    async (type) => {
      const file = randomBytes(20 * MIB);
      answer = async (incoming) => {
        const { method = '', url: path = '', headers } = incoming;
        const body = digest(await buffer(incoming));
        return {
          status: 204,
          headers: {
            'x-seen': JSON.stringify([method, path, headers['upload-offset'], headers['content-length'], body]),
            'upload-offset': '5',
          },
        };
      };
      const headers = { 'tus-resumable': '1.0.0', 'upload-offset': '0', ...(type ? { 'content-type': type } : {}) };
      const reply = await fetch(`${url}/uploads/abc`, { method: 'PATCH', headers, body: file });
      expect([reply.status, reply.headers.get('upload-offset')]).toEqual([204, '5']);
      expect(JSON.parse(reply.headers.get('x-seen') ?? '')).toEqual(['PATCH', '/uploads/abc', '0', String(file.length), digest(file)]);
    },
  );

  test('passes on a refusal that is sent before the body is complete', async () => {
    answer = async () => ({ status: 409, headers: { connection: 'close' } });
    // A client that is still sending may find the connection closed first, and retries.
    await eventually(async () =>
      expect((await fetch(`${url}/uploads/abc`, { method: 'PATCH', body: randomBytes(100_000), headers: BINARY })).status).toBe(409),
    );
  });

  test('passes on a disconnect of the client', async () => {
    const arrived: string[] = [];
    answer = async (incoming) => {
      incoming.once('data', (bytes: Buffer) => arrived.push(bytes.toString()));
      await buffer(incoming).catch(() => undefined);
      return {};
    };
    const sending = begin('PATCH', '/uploads/broken', { 'content-length': 1000, ...BINARY });
    sending.write('five!');
    await eventually(() => expect(arrived).toEqual(['five!']));
    sending.destroy();
    await eventually(() => expect(aborted).toEqual(['/uploads/broken']));
  });

  test('disconnects a client that sends a body slowly, unless it is an upload', async () => {
    answer = async (incoming) => ({ headers: { 'x-seen': (await buffer(incoming)).toString() } });
    const upload = begin('PATCH', '/uploads/slow', { 'content-length': 10, ...BINARY });
    upload.write('five!');
    const sent = begin('POST', '/echo', { 'content-length': 10, 'content-type': 'application/json' });
    sent.write('[1,2');
    await closed(sent);
    expect(sent.destroyed).toBe(true);
    const answered = once(upload, 'response');
    upload.end('five?');
    const [reply] = (await answered) as [IncomingMessage];
    expect([reply.statusCode, reply.headers['x-seen']]).toEqual([200, 'five!five?']);
    const swift = await fetch(`${url}/echo`, { method: 'POST', body: '[1,2]', headers: { 'content-type': 'application/json' } });
    expect([swift.status, await swift.json()]).toEqual([200, [1, 2]]);
  });

  test('passes on ranges, preflights, HEAD requests, and the path unchanged', async () => {
    answer = async ({ method = '', url: path = '', headers }) => ({
      status: headers.range ? 206 : 200,
      headers: {
        'x-seen': `${method} ${path}`,
        'content-range': headers.range ? 'bytes 0-1/10' : '',
        'content-length': headers.range ? '2' : '0',
      },
      ...(headers.range ? { body: Buffer.from('ab') } : {}),
    });
    const part = await fetch(`${url}/v/vid_a/sig.k/240p/00000.m4s?x=1`, { headers: { range: 'bytes=0-1' } });
    expect([part.status, part.headers.get('content-range'), await part.text(), part.headers.get('x-seen')]).toEqual([
      206,
      'bytes 0-1/10',
      'ab',
      'GET /v/vid_a/sig.k/240p/00000.m4s?x=1',
    ]);
    for (const method of ['HEAD', 'OPTIONS']) {
      expect((await fetch(`${url}/v/vid_a/sig.k/master.m3u8`, { method })).headers.get('x-seen')).toBe(
        `${method} /v/vid_a/sig.k/master.m3u8`,
      );
    }
  });

  test('passes on nothing of the caller’s trace', async () => {
    answer = async ({ headers }) => ({ headers: { 'x-seen': JSON.stringify(headers) } });
    const trace = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: 'school=1', baggage: 'userId=1' };
    const reply = await fetch(`${url}/v/x`, { headers: { ...trace, 'x-gateway': 'forged', range: 'bytes=0-1' } });
    const seen = JSON.parse(reply.headers.get('x-seen') ?? '') as Record<string, string>;
    expect(seen).toMatchObject({ range: 'bytes=0-1', 'x-gateway': 'of the gateway' });
    for (const name of Object.keys(trace)) expect(seen).not.toHaveProperty(name);
  });

  test('passes on the address of the caller, and not what they say of it', async () => {
    answer = async ({ headers }) => ({ headers: { 'x-seen': String(headers['x-forwarded-for']) } });
    const reply = await fetch(`${url}/v/x`, { headers: { 'x-forwarded-for': '203.0.113.7' } });
    expect(reply.headers.get('x-seen')).toBe('127.0.0.1');
  });

  test('refuses a path that leads elsewhere, in the envelope', async () => {
    for (const path of ['/uploads/../x', '/v/..%2f..%2fx/y', '/v/id/signature/..%2f..%2fsource']) {
      const [reply] = (await once(request(url, { path }).end(), 'response')) as [IncomingMessage];
      const body = JSON.parse((await buffer(reply)).toString()) as unknown;
      expect([reply.statusCode, body]).toMatchObject([400, { success: false, error: 'VALIDATION_FAILED', requestId: 'request' }]);
    }
  });

  test('closes the connection if the client requests it', async () => {
    answer = async () => ({ headers: { connection: 'keep-alive', 'keep-alive': 'timeout=5' }, body: Buffer.from('whole') });
    const agent = new Agent({ keepAlive: true });
    for (const [connection, left] of [
      ['close', 'close'],
      ['keep-alive', 'keep-alive'],
    ] as const) {
      const [reply] = (await once(request(`${url}/v/x`, { agent, headers: { connection } }).end(), 'response')) as [IncomingMessage];
      expect([(await buffer(reply)).toString(), reply.headers.connection]).toEqual(['whole', left]);
    }
    agent.destroy();
  });

  test('retries a GET on a closed keep-alive connection, but not an upload', async () => {
    let asked = 0;
    answer = async (incoming) => {
      asked += 1;
      if (asked === 1) incoming.socket.destroy();
      return { body: Buffer.from('whole') };
    };
    const played = await fetch(`${url}/v/x`);
    expect([played.status, await played.text(), asked]).toEqual([200, 'whole', 2]);
    asked = 0;
    const sent = await fetch(`${url}/uploads/abc`, { method: 'PATCH', body: 'bytes', headers: BINARY });
    expect([sent.status, asked]).toEqual([503, 1]);
  });

  test('answers 503 without the service, and passes on the service’s own 503', async () => {
    let asked = 0;
    answer = async () => {
      asked += 1;
      return { status: 503, headers: { 'retry-after': '2' } };
    };
    const passed = await fetch(`${url}/v/x`);
    expect([passed.status, passed.headers.get('retry-after'), asked]).toEqual([503, '2', 1]);
    media.closeAllConnections();
    media.close();
    const unreachable = await fetch(`${url}/v/x`);
    expect([unreachable.status, await unreachable.json()]).toMatchObject([503, { success: false, error: 'SERVICE_UNAVAILABLE' }]);
  });

  test('answers the next request on a connection whose upload was broken off', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const upload = begin('PATCH', '/uploads/away', BINARY, agent);
    upload.end(randomBytes(5 * MIB));
    await closed(upload);
    const asking = begin('HEAD', '/uploads/away', {}, agent);
    asking.end();
    const [reply] = (await once(asking, 'response')) as [IncomingMessage];
    expect(reply.statusCode).toBe(503);
    agent.destroy();
  });
});

import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { connect } from 'node:net';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { defineEndpoint } from '@classroom/contracts';
import Fastify, { type FastifyInstance } from 'fastify';
import { z } from 'zod';
import { registerConsole } from '../src/dashboard/console.js';
import { registerAssets } from '../src/http/pages.js';
import { registerBodyParsers } from '../src/http/bodies.js';
import { compressAnswers } from '../src/http/compression.js';
import { endpointOf, sendError } from '../src/http/endpoint.js';
import { toAppError } from '@classroom/http';
import { answerFramingError, answerUnsupportedRequests } from '../src/http/admin-port.js';
import { hashOf } from '../src/http/reply-cache.js';
import type { Clock } from '@classroom/platform';
import { registerSecurityTxt } from '../src/site/published-files.js';
import { registerReference } from '../src/site/reference.js';

jest.setTimeout(60_000);

const items = (count = 100) => ({ items: Array.from({ length: count }, (_, index) => ({ roomId: `room-${index}` })) });
const SCRIPT = 'console.log("hello");'.repeat(200);

/** What the gateway answers before any endpoint is reached, with its own parsers and limits. */
describe('the edge of the gateway', () => {
  let folder: string;
  let gateway: FastifyInstance;
  let local: FastifyInstance;
  let at: { port: number; host: string };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'assets-'));
    writeFileSync(join(folder, 'index-1.js'), SCRIPT);
    writeFileSync(join(folder, 'index-1.js.br'), brotliCompressSync(SCRIPT));
    writeFileSync(join(folder, 'index-1.js.gz'), gzipSync(SCRIPT));
    writeFileSync(join(folder, 'font-1.woff2'), 'font');
    const http = { headersTimeout: 300, connectionsCheckingInterval: 100 };
    gateway = Fastify({ routerOptions: { maxParamLength: 1024 }, clientErrorHandler: answerFramingError, http });
    answerUnsupportedRequests(gateway.server);
    const span = trace.getTracer('test').startSpan('request');
    gateway.addHook(
      'onRequest',
      async (incoming) =>
        void Object.assign(incoming, {
          requestContext: { requestId: 'request', context: ROOT_CONTEXT, span, endpoint: endpointOf(incoming) },
        }),
    );
    gateway.setErrorHandler((error, incoming, reply) => sendError(incoming, reply, toAppError(error)));
    registerBodyParsers(gateway);
    const config = {
      endpoint: defineEndpoint({
        operationId: 'echo',
        summary: 'Echo',
        description: 'Echo.',
        tag: 'Health',
        route: 'POST /echo',
        auth: 'none',
        response: z.unknown(),
      }),
    };
    gateway.post('/echo', { config }, (incoming, reply) => reply.send({ hash: hashOf(incoming.body) }));
    const list = defineEndpoint({
      operationId: 'list',
      summary: 'List',
      description: 'List.',
      tag: 'Health',
      route: 'GET /list',
      auth: 'none',
      response: z.unknown(),
    });
    gateway.get('/list', { config: { endpoint: list } }, (incoming, reply) =>
      reply.header('vary', 'Origin').send(items((incoming.query as { count?: number }).count)),
    );
    gateway.post('/list', { config }, (_, reply) => reply.send(items()));
    compressAnswers(gateway);
    registerReference(gateway, { DEPLOYMENT: 'local', RECEIPT_PUBLIC_KEYS: [] });
    const clock = { wall: () => new Date('2026-12-01T10:00:00Z') } as Clock;
    const security = {
      CLASSROOM_URL: 'https://classroom.example/r/',
      SECURITY_CONTACT: ['mailto:security@school.example', 'https://school.example/report'],
    };
    registerSecurityTxt(gateway, { ...security, SECURITY_POLICY: 'https://school.example/policy' }, clock);
    await registerAssets(gateway, folder, '/assets/');
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'assets', 'console-1.js'), SCRIPT);
    mkdirSync(join(folder, 'board-1.0.0', 'fonts', 'Sans'), { recursive: true });
    writeFileSync(join(folder, 'board-1.0.0', 'fonts', 'Sans', 'a-1.woff2'), 'font');
    for (const name of ['index', 'landing']) writeFileSync(join(folder, `${name}.html`), `<html><head></head>${name}</html>`);
    writeFileSync(join(folder, 'links.json'), JSON.stringify([{ name: 'Demo "class"', url: 'http://127.0.0.1/r/RM_1#token=a' }]));
    const console = { CONSOLE_ASSETS: folder, CLASSROOM_URL: 'https://classroom.example', LANDING_LINKS: join(folder, 'links.json') };
    await registerConsole(gateway, { ...console, DEPLOYMENT: 'production' });
    local = Fastify();
    await registerConsole(local, { ...console, DEPLOYMENT: 'local' });
    local.addHook(
      'onRequest',
      async (incoming) => void Object.assign(incoming, { requestContext: { requestId: 'request', context: ROOT_CONTEXT, span } }),
    );
    registerSecurityTxt(local, { ...security, SECURITY_CONTACT: undefined, SECURITY_POLICY: undefined }, clock);
    const { port } = new URL(await gateway.listen({ port: 0, host: '127.0.0.1' }));
    at = { port: Number(port), host: '127.0.0.1' };
  });

  afterAll(async () => {
    await gateway?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  describe('the console', () => {
    const html = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' };

    it.each(['/console', '/console/rooms/geometry-7b', '/console/operator?x=1'])(
      'is one page at %s, which no other page may frame',
      async (url) => {
        const reply = await gateway.inject({ url });
        expect([reply.statusCode, reply.body]).toEqual([
          200,
          '<html><head><meta name="console" content="{&quot;publicUrl&quot;:&quot;https://classroom.example&quot;}"></head>index</html>',
        ]);
        expect(reply.headers).toMatchObject({
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
        });
        expect(reply.headers['content-security-policy']).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
      },
    );

    it('has files that never change, and no others', async () => {
      expect((await gateway.inject('/console/assets/console-1.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect((await gateway.inject('/console/assets/..%2flinks.json')).statusCode).toBe(404);
    });

    it('is next to a page for browsers that names no link in production', async () => {
      const reply = await gateway.inject({ url: '/', headers: html });
      expect([reply.statusCode, reply.headers['vary'], reply.body]).toEqual([
        200,
        'Accept',
        '<html><head><meta name="landing" content="{}"></head>landing</html>',
      ]);
    });

    it('shows the links of the launcher in a local deployment', async () => {
      expect((await local.inject({ url: '/', headers: html })).body).toContain('Demo \\&quot;class\\&quot;');
    });

    it.each(['*/*', 'application/json', undefined])('leaves / a 404 for a client that accepts %s', async (accept) => {
      const reply = await gateway.inject({ url: '/', headers: accept === undefined ? {} : { accept } });
      expect([reply.statusCode, reply.json()]).toMatchObject([404, { success: false, error: 'NOT_FOUND' }]);
    });
  });

  describe('/.well-known/security.txt', () => {
    it('says whom to write to, for the next ninety days, where it is and what the policy is', async () => {
      const reply = await gateway.inject('/.well-known/security.txt');
      expect([reply.statusCode, reply.headers['content-type'], reply.body]).toEqual([
        200,
        'text/plain; charset=utf-8',
        [
          'Contact: mailto:security@school.example',
          'Contact: https://school.example/report',
          'Expires: 2027-03-01T00:00:00.000Z',
          'Preferred-Languages: en',
          'Canonical: https://classroom.example/.well-known/security.txt',
          'Policy: https://school.example/policy',
          '',
        ].join('\n'),
      ]);
    });

    it('is a 404 without a contact', async () => {
      const reply = await local.inject('/.well-known/security.txt');
      expect([reply.statusCode, reply.json()]).toMatchObject([404, { error: 'NOT_FOUND' }]);
    });
  });

  describe('an asset', () => {
    /** Without fetch, which resolves dots itself. */
    const get = async (path: string, headers: Record<string, string> = {}) => {
      const [reply] = (await once(request({ ...at, path, headers }).end(), 'response')) as [IncomingMessage];
      return { statusCode: reply.statusCode, headers: reply.headers, body: await buffer(reply) };
    };

    it.each(['../x', '%2e%2e/x', './x', '..%5cx', '%00', 'a%00b.js', 'a'.repeat(256), '.hidden', 'folder/x', ''])(
      'by the path /assets/%s is a 404 in the envelope',
      async (path) => {
        const reply = await get(`/assets/${path}`);
        expect([reply.statusCode, JSON.parse(reply.body.toString())]).toEqual([
          404,
          { success: false, message: 'Not found', error: 'NOT_FOUND', requestId: 'request' },
        ]);
      },
    );

    it('may be in folders below one with a version', async () => {
      expect((await get('/assets/board-1.0.0/fonts/Sans/a-1.woff2')).body.toString()).toBe('font');
      for (const path of ['board-1.0.0/../console-1.js', 'board-1.0.0/%2e%2e/console-1.js', 'fonts/Sans/a-1.woff2'])
        expect((await get(`/assets/${path}`)).statusCode).toBe(404);
    });

    it.each<[string, string | undefined, (body: Buffer) => Buffer]>([
      ['br, gzip', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['identity', undefined, (body) => body],
    ])('is sent with encoding %s on request, and may be cached for a year', async (accepted, encoding, decoded) => {
      const reply = await get('/assets/index-1.js?v=1', { 'accept-encoding': accepted });
      expect([reply.statusCode, reply.headers['content-encoding'], reply.headers['content-type']]).toEqual([
        200,
        encoding,
        'application/javascript; charset=utf-8',
      ]);
      expect(decoded(reply.body).toString()).toBe(SCRIPT);
      expect(reply.headers).toMatchObject({
        vary: expect.stringContaining('accept-encoding') as unknown,
        'cache-control': 'public, max-age=31536000, immutable',
        etag: expect.any(String) as unknown,
      });
    });

    it('that its build did not compress is sent uncompressed', async () => {
      const reply = await get('/assets/font-1.woff2', { 'accept-encoding': 'br, gzip' });
      expect([reply.statusCode, reply.headers['content-encoding'], reply.body.toString()]).toEqual([200, undefined, 'font']);
    });
  });

  describe('an answer', () => {
    const get = (url: string, headers: Record<string, string> = { 'accept-encoding': 'gzip, br' }) => gateway.inject({ url, headers });

    it('to a GET is compressed if it is long', async () => {
      const reply = await get('/list');
      expect(reply.headers).toMatchObject({
        'content-encoding': 'br',
        vary: 'Origin, Accept-Encoding',
        'content-length': String(reply.rawPayload.length),
      });
      expect(JSON.parse(brotliDecompressSync(reply.rawPayload).toString())).toEqual(items());
      expect(JSON.parse(gunzipSync((await get('/list', { 'accept-encoding': 'gzip' })).rawPayload).toString())).toEqual(items());
      expect((await get('/list', {})).json()).toEqual(items());
      expect((await get('/list?count=1')).headers['content-encoding']).toBeUndefined();
    });

    it('to a POST, which may contain a token, is not compressed', async () => {
      const reply = await gateway.inject({ method: 'POST', url: '/list', headers: { 'accept-encoding': 'gzip, br' } });
      expect([reply.headers['content-encoding'], reply.json()]).toEqual([undefined, items()]);
    });

    it('for operators has no page in production, and its document needs their secret', async () => {
      const inProduction = Fastify();
      inProduction.addHook('onRequest', async (incoming) => {
        if (endpointOf(incoming)?.auth === 'dispatch') throw new Error('the secret is checked');
      });
      registerReference(inProduction, { DEPLOYMENT: 'production', RECEIPT_PUBLIC_KEYS: [] });
      const statusOf = async (url: string) => (await inProduction.inject({ url })).statusCode;
      expect(await Promise.all(['/openapi.internal.json', '/docs/operators/', '/openapi.json', '/docs/'].map(statusOf))).toEqual([
        500, 404, 200, 200,
      ]);
      await inProduction.close();
    });

    it.each(['/openapi.json', '/asyncapi.json', '/docs/js/scalar.js', '/openapi.internal.json', '/docs/operators/js/scalar.js'])(
      'that is the same for all callers, such as %s, is compressed, and sent once to each',
      async (url) => {
        const reply = await get(url);
        const { etag = '' } = reply.headers;
        expect(reply.headers).toMatchObject({
          'content-encoding': 'br',
          'cache-control': 'no-cache',
          vary: 'Accept-Encoding',
          etag: expect.stringMatching(/^W\//) as unknown,
        });
        expect(brotliDecompressSync(reply.rawPayload).toString()).toBe((await get(url, {})).body);
        const again = await get(url, { 'if-none-match': `"other", ${etag}` });
        expect([again.statusCode, again.body]).toEqual([304, '']);
      },
    );

    it('with the reference page has its own nonce', async () => {
      const pages = await Promise.all([get('/docs/'), get('/docs/')]);
      const nonces = pages.map(({ headers }) => /'nonce-([\w-]+)'/.exec(String(headers['content-security-policy']))?.[1] ?? '');
      expect(new Set(nonces).size).toBe(2);
      pages.forEach(({ body }, index) =>
        expect([body.includes(`nonce="${nonces[index]}"`), body.includes('nonce-of-this-answer')]).toEqual([true, false]),
      );
    });
  });

  describe('a body', () => {
    const post = (payload: string) =>
      gateway.inject({ method: 'POST', url: '/echo', payload, headers: { 'content-type': 'application/json' } });
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

    it('that is nested too deeply causes a 400 with this reason', async () => {
      for (const payload of [nested(101), nested(100_000), `{"a":${nested(100)}}`]) {
        const reply = await post(payload);
        expect([reply.statusCode, reply.json()]).toMatchObject([
          400,
          { error: 'VALIDATION_FAILED', message: 'The body is nested too deeply' },
        ]);
      }
    });

    it.each(['gzip', 'br', 'gzip, identity'])('with content-encoding %s causes a 415', async (encoding) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      const reply = await gateway.inject({ method: 'POST', url: '/echo', payload: '{}', headers });
      expect([reply.statusCode, reply.json()]).toMatchObject([
        415,
        { error: 'UNSUPPORTED_MEDIA_TYPE', message: 'The body must come without a Content-Encoding' },
      ]);
      expect(
        (await gateway.inject({ method: 'POST', url: '/echo', payload: '{}', headers: { ...headers, 'content-encoding': 'identity' } }))
          .statusCode,
      ).toBe(200);
    });

    it('may be nested up to a generous depth', async () => {
      expect((await post(nested(100))).statusCode).toBe(200);
    });
  });

  describe('bytes that are not a valid request', () => {
    /** Everything that the gateway sends until it disconnects. */
    const answerTo = async (bytes: string) => {
      const socket = connect(at);
      socket.write(bytes);
      const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
      return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body: JSON.parse(body) as { requestId: string } };
    };

    it.each<[string, string, number, string]>([
      ['a line that is not HTTP', 'hello\r\n\r\n', 400, 'VALIDATION_FAILED'],
      [
        'two lengths that differ',
        'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
        400,
        'VALIDATION_FAILED',
      ],
      ['headers that never end', 'GET /echo HTTP/1.1\r\nHost: a\r\n', 408, 'VALIDATION_FAILED'],
      ['headers that are too large', `GET /echo HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'VALIDATION_FAILED'],
      ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
      ['an expectation', 'GET /echo HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n\r\n', 417, 'VALIDATION_FAILED'],
    ])('such as %s are refused in the envelope', async (_, bytes, status, error) => {
      const answer = await answerTo(bytes);
      expect(answer).toMatchObject({ status, body: { success: false, error, message: expect.any(String) as unknown } });
      expect(answer.head).toContain(`x-request-id: ${answer.body.requestId}`);
      expect(answer.head).toContain('connection: close');
    });
  });
});

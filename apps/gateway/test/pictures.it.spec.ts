import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sealPicture } from '@classroom/platform';
import { eventually } from '@classroom/testing';
import { GatewayFixture } from './support/gateway-fixture.js';

jest.setTimeout(120_000);

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAgAAAQABAAD/2wBDAAgEBAQEBAUFBQUFBQYGBgYGBgYGBgYGBgYHBwcICAgHBwcGBgcHCAgICAkJCQgICAgJCQoKCgwMCwsODg4RERT/xABMAAEBAAAAAAAAAAAA' +
    'AAAAAAAABgEBAQAAAAAAAAAAAAAAAAAABgcQAQAAAAAAAAAAAAAAAAAAAAARAQAAAAAAAAAAAAAAAAAAAAD/wAARCAACAAIDASIAAhEAAxEA/9oADAMBAAIRAxEAPwCLAFF/f//Z',
  'base64',
);
/** With a place in EXIF and a comment. */
const TELLING = Buffer.concat([JPEG.subarray(0, 20), telling(0xe1, 'Exif\0\0MM\0*place'), telling(0xfe, 'place'), JPEG.subarray(20)]);
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const WEBP = Buffer.from('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA=', 'base64');
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const MIB = 1024 ** 2;
const SAFE = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': `default-src 'none'; sandbox`,
};

function telling(marker: number, text: string): Buffer {
  return Buffer.concat([Buffer.from([0xff, marker, 0, text.length + 2]), Buffer.from(text)]);
}

/** A school's host. A path may have a suffix, which makes its address another picture. */
class SchoolHost {
  readonly requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  /** Requests that wait for their answer, by path. */
  readonly held = new Map<string, ServerResponse>();
  private readonly server: Server;

  constructor() {
    this.server = createServer(({ url = '', headers }, response) => {
      this.requests.push({ path: url, headers });
      this.answer(url, response);
    }).listen(0, '127.0.0.1');
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  asked = (path: string) => this.requests.filter((request) => request.path === path).length;

  async listening(): Promise<void> {
    if (!this.server.listening) await once(this.server, 'listening');
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private hold(url: string, response: ServerResponse): void {
    this.held.set(url, response);
    response.once('close', () => this.held.delete(url));
  }

  private answer(url: string, response: ServerResponse): void {
    const send = (type: string, body: Buffer | string, headers = {}) =>
      response.writeHead(200, { 'content-type': type, ...headers }).end(body);
    const [, kind = '', rest = ''] = /^\/([a-z]+)[^?]*\??(.*)$/.exec(url) ?? [];
    if (kind === 'png') send('text/html', PNG, { 'set-cookie': 'id=1', 'cache-control': 'public', refresh: '0;url=/x' });
    else if (kind === 'jpeg') send('application/octet-stream', JPEG);
    else if (kind === 'telling') send('image/jpeg', TELLING);
    else if (kind === 'broken') send('image/png', PNG.subarray(0, 50));
    else if (kind === 'gif') send('image/gif', GIF);
    else if (kind === 'webp') send('image/webp', WEBP);
    else if (kind === 'to') response.writeHead(302, { location: rest }).end();
    else if (kind === 'svg') send('image/png', SVG);
    else if (kind === 'html') send('image/png', '<html></html>');
    else if (kind === 'empty') send('image/png', '');
    else if (kind === 'edge') send('image/png', Buffer.concat([PNG, Buffer.alloc(MIB - PNG.length)]));
    else if (kind === 'large') send('image/png', Buffer.concat([PNG, Buffer.alloc(MIB - PNG.length + 1)]));
    else if (kind === 'endless') {
      response.writeHead(200, { 'content-type': 'image/png' }).write(PNG);
    } else if (kind === 'hold') this.hold(url, response);
    else if (kind === 'cut') response.writeHead(200, { 'content-length': '5000' }).end(PNG).destroy();
    else response.writeHead(500, { 'content-type': 'image/png' }).end(PNG);
  }
}

/** Photos and logos of schools. The gateway may open `localhost`, by that name, and nothing else that is private. */
describe('the picture proxy', () => {
  let gateway: GatewayFixture;
  const school = new SchoolHost();
  beforeAll(async () => {
    await school.listening();
    gateway = await GatewayFixture.start({ env: { gateway: { OUTBOUND_ALLOWED_HOSTS: 'localhost' } } });
  });
  afterAll(async () => {
    school.close();
    await gateway?.stop();
  });

  const at = (path: string, host = 'localhost') => `http://${host}:${school.port}${path}`;
  const seal = (address: string, organizationId = 'org_a', secret = gateway.stack.secrets['livekitApiSecret'] ?? '') =>
    sealPicture(secret, organizationId, address);
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${gateway.stack.urls.gateway}${path}`, { headers, redirect: 'manual' });
    const body = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: Object.fromEntries(response.headers), body };
  };

  it.each([
    ['png', 'image/png', PNG],
    ['jpeg', 'image/jpeg', JPEG],
    ['telling', 'image/jpeg', JPEG],
    ['gif', 'image/gif', GIF],
    ['webp', 'image/webp', WEBP],
  ])('serves a %s with the type of its content and headers of its own', async (kind, type, content) => {
    const { status, headers, body } = await get(seal(at(`/${kind}`)));
    expect([status, body]).toEqual([200, content]);
    expect(headers).toMatchObject({ ...SAFE, 'content-type': type, 'cache-control': 'private, max-age=3600' });
    expect(headers).not.toHaveProperty('set-cookie');
    expect(headers).not.toHaveProperty('refresh');
  });

  it('serves a picture of a MiB, one behind redirects, and one with an address of 2,048 characters', async () => {
    expect((await get(seal(at('/edge')))).body).toEqual(PNG);
    expect((await get(seal(at('/broken')))).status).toBe(404);
    expect((await get(seal(at(`/to?${at('/to?/png-moved')}`)))).body).toEqual(PNG);
    const long = at('/png-').padEnd(2048, 'x');
    expect((await get(seal(long))).body).toEqual(PNG);
  });

  it('reveals nothing about who asks', async () => {
    const path = seal(at('/png-private'));
    const headers = {
      cookie: 'a=b',
      referer: 'https://class.example/r/1',
      'x-forwarded-for': '203.0.113.7',
      'user-agent': 'Browser',
      'accept-language': 'de',
    };
    expect((await get(path, headers)).status).toBe(200);
    const asked = school.requests.find((request) => request.path === '/png-private')?.headers;
    expect(asked).toEqual({
      host: `localhost:${school.port}`,
      connection: 'close',
      accept: 'image/webp,image/png,image/jpeg,image/gif',
      'accept-encoding': 'identity',
      'user-agent': 'virtual-classroom',
    });
  });

  it.each([
    '/svg',
    '/html',
    '/empty',
    '/large',
    '/cut',
    '/error',
    '/to?/svg-moved',
    '/to?ftp://localhost/x',
    '/to?http://user:password@localhost/x',
  ])('serves nothing from %s', async (path) => {
    const { status, headers, body } = await get(seal(at(path)));
    expect(status).toBe(404);
    expect(headers).toMatchObject({ ...SAFE, 'cache-control': 'private, max-age=60', 'content-type': 'application/json; charset=utf-8' });
    expect(JSON.parse(body.toString())).toMatchObject({ error: 'NOT_FOUND' });
    expect(body.toString()).not.toContain(String(school.port));
  });

  it('gives up on a host that never finishes', async () => {
    const found = await Promise.all(['/endless', '/hold'].map((path) => get(seal(at(path)))));
    expect(found.map(({ status }) => status)).toEqual([404, 404]);
  });

  it.each([
    (port: number) => `http://127.0.0.1:${port}/secret`,
    (port: number) => `http://2130706433:${port}/secret`,
    (port: number) => `http://0x7f.1:${port}/secret`,
    (port: number) => `http://[::1]:${port}/secret`,
    (port: number) => `http://[::ffff:127.0.0.1]:${port}/secret`,
    (port: number) => `http://localhost:${port}/to?http://127.0.0.1:${port}/secret`,
    (port: number) => `http://localhost:${port}/to?//[::ffff:7f00:1]:${port}/secret`,
    () => 'http://169.254.169.254/latest/meta-data/',
    () => 'http://10.0.0.1/secret',
    () => 'http://nats:8222/connz',
    () => 'file:///etc/passwd',
  ])('opens no private address (%#)', async (addressOf) => {
    expect((await get(seal(addressOf(school.port)))).status).toBe(404);
    expect(school.asked('/secret')).toBe(0);
  });

  it('opens no address that was not sealed with its secret', async () => {
    const sealed = seal(at('/png-forged'));
    const forged = [
      '/pictures/',
      '/pictures/x',
      `/pictures/${encodeURIComponent(at('/png-forged'))}`,
      `/pictures/${at('/png-forged')}`,
      `/pictures/?url=${at('/png-forged')}`,
      seal(at('/png-forged'), 'org_a', 'x'.repeat(32)),
      sealed.slice(0, -3),
      `${sealed}/..%2f`,
      sealed.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) + 'AAAA',
    ];
    for (const path of forged) expect([path, (await get(path)).status]).toEqual([path, 404]);
    expect(school.asked('/png-forged')).toBe(0);
    expect((await get(sealed)).status).toBe(200);
  });

  it('downloads a picture once for all who ask, found or not, and again for another organization', async () => {
    for (const [path, expected] of [
      ['/png-once', 200],
      ['/error-once', 404],
    ] as const) {
      const first = await Promise.all(Array.from({ length: 20 }, () => get(seal(at(path)))));
      const later = await get(seal(at(path)));
      expect(new Set([...first, later].map(({ status }) => status))).toEqual(new Set([expected]));
      expect(school.asked(path)).toBe(1);
      await get(seal(at(path), 'org_b'));
      expect(school.asked(path)).toBe(2);
    }
  });

  it('serves an organization while the downloads of another one, eight at once, wait for its host', async () => {
    const slow = Array.from({ length: 20 }, (_, index) => get(seal(at(`/hold-${index}`), 'org_slow')));
    await eventually(() => expect(school.held.size).toBe(8));
    expect((await get(seal(at('/png-quick'), 'org_quick'))).status).toBe(200);
    expect(school.held.size).toBeLessThanOrEqual(8);
    const timer = setInterval(() => {
      for (const response of school.held.values()) response.end(PNG);
    }, 10);
    await Promise.all(slow);
    clearInterval(timer);
    expect(school.requests.filter(({ path }) => path.startsWith('/hold-'))).toHaveLength(20);
  });

  it('accepts paths that were sealed with another key of LiveKit', async () => {
    const secret = 'other-livekit-secret-of-32-characters';
    const path = seal(at('/png-rotated'), 'org_a', secret);
    expect((await get(path)).status).toBe(404);
    await gateway.stack.app('gateway').restart({ OUTBOUND_ALLOWED_HOSTS: 'localhost', LIVEKIT_OTHER_KEYS: `other:${secret}` });
    expect((await get(path)).status).toBe(200);
    expect((await get(seal(at('/png-current')))).status).toBe(200);
  });
});

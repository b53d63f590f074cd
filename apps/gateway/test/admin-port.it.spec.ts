import { createServer, type AddressInfo } from 'node:net';
import { ApiClient } from '@classroom/testing';
import { GatewayFixture } from './support/gateway-fixture.js';

jest.setTimeout(60_000);

describe('a port for operators', () => {
  let gateway: GatewayFixture;
  let admin: ApiClient;

  beforeAll(async () => {
    const port = await freePort();
    gateway = await GatewayFixture.start({ env: { gateway: { GATEWAY_ADMIN_PORT: String(port), RECEIPT_PUBLIC_KEYS: 'present,past' } } });
    admin = new ApiClient(`http://127.0.0.1:${port}`);
  });
  afterAll(() => gateway?.stop());

  const operator = (api: ApiClient) => api.with({ 'X-Dispatch-Secret': gateway.stack.secrets['dispatchSecret'] ?? '' });

  it('serves their API, in the same way as the public port would', async () => {
    const refused = await admin.get('/v1/admin/organizations');
    expect([refused.status, refused.body.error]).toEqual([401, 'UNAUTHORIZED']);
    const invalid = await operator(admin).get('/v1/admin/organizations?limit=0');
    expect([invalid.status, invalid.body.error]).toEqual([400, 'VALIDATION_FAILED']);
  });

  it('leaves the public port without it, also for operators', async () => {
    for (const api of [gateway.anonymous, operator(gateway.anonymous)]) {
      const { status, body } = await api.get('/v1/admin/organizations');
      expect([status, body.error]).toEqual([404, 'NOT_FOUND']);
    }
  });

  it('serves the console, as the public port does', async () => {
    for (const api of [admin, gateway.anonymous])
      for (const path of ['/console', '/console/operator']) expect([path, (await api.get(path)).status]).toEqual([path, 200]);
  });

  it('leaves the keys of receipts of erasures to the public port, for pages of any origin', async () => {
    const { status, body, headers } = await gateway.anonymous.get('/.well-known/erasure-receipt-keys.json');
    const key = (publicKey: string) => ({ algorithm: 'Ed25519', publicKey });
    expect([status, body, headers.get('access-control-allow-origin')]).toEqual([200, { keys: [key('present'), key('past')] }, '*']);
  });

  it('serves nothing else', async () => {
    for (const path of [
      '/.well-known/erasure-receipt-keys.json',
      '/v1/rooms',
      '/v1/dashboard/profile',
      '/',
      '/r/abc',
      '/openapi.json',
      '/v1/health/status',
    ]) {
      const { status, body } = await admin.get(path);
      expect([path, status, body.error]).toEqual([path, 404, 'NOT_FOUND']);
    }
    expect((await gateway.anonymous.get('/openapi.json')).status).toBe(200);
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

import { HeldConnections } from '@classroom/testing';
import { MediaFixture } from './support/media-fixture.js';

jest.setTimeout(120_000);

const [PER_ADDRESS, IN_TOTAL] = [3, 12];

describe('the media service’s open connections', () => {
  let fixture: MediaFixture;
  let held: HeldConnections;
  beforeAll(async () => {
    fixture = await MediaFixture.start();
    held = new HeldConnections(fixture.url, '/v/unknown');
  });
  afterEach(() => held.close());
  afterAll(() => fixture?.stop());

  const limits = { MAX_CONNECTIONS_PER_ADDRESS: String(PER_ADDRESS), MAX_CONNECTIONS: String(IN_TOTAL) };

  it('are limited for each address, and in total', async () => {
    await fixture.startApp({ ...limits, TRUSTED_PROXIES: '127.0.0.1, ::1' });
    expect(await held.open('127.0.0.2', PER_ADDRESS + 2)).toBe(PER_ADDRESS);
    // Addresses of gateways are not limited.
    expect(await held.open('127.0.0.1', IN_TOTAL)).toBe(IN_TOTAL - PER_ADDRESS);
  });

  it('send as many requests in a minute as their address may, whatever they ask for', async () => {
    await fixture.startApp({ OPEN_REQUESTS_PER_MINUTE: '3' });
    const statuses: number[] = [];
    for (const path of ['/v/unknown', `/uploads/${'a'.repeat(32)}`, '/none', '/v/unknown', `/uploads/${'b'.repeat(32)}`]) {
      const { status, headers } = await fetch(`${fixture.url}${path}`, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } });
      statuses.push(status);
      if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([403, 404, 404, 429, 429]);
  });

  it('from private addresses, where gateways and proxies are, are not limited by default', async () => {
    await fixture.startApp(limits);
    expect(await held.open('127.0.0.2', IN_TOTAL)).toBe(IN_TOTAL);
  });
});

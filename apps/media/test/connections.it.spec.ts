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

  it('from private addresses, where gateways and proxies are, are not limited by default', async () => {
    await fixture.startApp(limits);
    expect(await held.open('127.0.0.2', IN_TOTAL)).toBe(IN_TOTAL);
  });
});

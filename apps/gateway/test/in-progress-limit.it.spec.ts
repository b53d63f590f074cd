import { getRoomStatus } from '@classroom/contracts';
import { eventually } from '@classroom/testing';
import { GatewayFixture, valueOf } from './support/gateway-fixture.js';

jest.setTimeout(60_000);

const LIMIT = 10;

describe('an organization’s requests in progress', () => {
  let gateway: GatewayFixture;

  beforeAll(async () => {
    gateway = await GatewayFixture.start({ env: { gateway: { ORGANIZATION_REQUESTS_IN_PROGRESS: String(LIMIT) } } });
  });
  afterAll(() => gateway?.stop());

  it('are limited; another organization is still served, and a closed connection frees its place', async () => {
    const received = gateway.ignore(getRoomStatus);
    const [school, neighbour] = [gateway.organization(), gateway.organization()];
    const closing = new AbortController();
    const open = (organizationId: string, signal: AbortSignal) =>
      fetch(`${gateway.stack.urls.gateway}/v1/room/maths/status`, { headers: { 'VF-ORG-ID': valueOf(organizationId) }, signal });
    const waiting = Array.from({ length: LIMIT }, () => open(school.organizationId, closing.signal));
    await eventually(async () => expect(received).toHaveLength(LIMIT));

    expect(await gateway.backendOf(school).get('/v1/room/maths/status')).toMatchObject({
      status: 429,
      body: { error: 'RATE_LIMITED', message: 'Too many requests in progress' },
    });
    const others = open(neighbour.organizationId, closing.signal);
    await eventually(async () => expect(received).toHaveLength(LIMIT + 1));

    closing.abort();
    await Promise.allSettled([...waiting, others]);
    const later = new AbortController();
    const receivedLater = gateway.ignore(getRoomStatus);
    // The gateway may notice the closed connections a moment later.
    await eventually(async () => {
      void open(school.organizationId, later.signal).catch(() => undefined);
      expect(receivedLater.length).toBeGreaterThan(0);
    });
    later.abort();
  });
});

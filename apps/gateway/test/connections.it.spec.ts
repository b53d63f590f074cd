import { eventually, HeldConnections, metricSample } from '@classroom/testing';
import { GatewayFixture } from './support/gateway-fixture.js';

jest.setTimeout(60_000);

const [PER_ADDRESS, IN_TOTAL] = [5, 20];
const [PROXY, PUPIL, NEIGHBOUR] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as const;

describe('the gateway’s open connections', () => {
  let gateway: GatewayFixture;
  let held: HeldConnections;

  beforeAll(async () => {
    const limits = { MAX_CONNECTIONS: String(IN_TOTAL), MAX_CONNECTIONS_PER_ADDRESS: String(PER_ADDRESS) };
    gateway = await GatewayFixture.start({ env: { gateway: { ...limits, TRUSTED_PROXIES: PROXY } } });
    held = new HeldConnections(gateway.stack.urls.gateway, '/openapi.json');
  });
  afterAll(() => gateway?.stop());
  afterEach(() => held.close());

  const refusals = async (limit: string) =>
    (await metricSample(gateway.stack, 'gateway', 'classroom_connections_refused_total', `limit="${limit}"`)) ?? 0;

  it('are limited for each address: others are closed without an answer, and counted', async () => {
    const before = await refusals('address');
    expect(await held.open(PUPIL, PER_ADDRESS + 3)).toBe(PER_ADDRESS);
    expect(await held.open(NEIGHBOUR, 1)).toBe(1);
    expect((await refusals('address')) - before).toBe(3);
  });

  it('of an address are limited to as many again after earlier ones were closed', async () => {
    await eventually(async () => {
      held.close();
      expect(await held.open(PUPIL, PER_ADDRESS + 1)).toBe(PER_ADDRESS);
    });
  });

  it('through a trusted proxy are those of many clients: only the total limits them', async () => {
    const before = await refusals('process');
    await eventually(async () => {
      held.close();
      expect(await held.open(PROXY, IN_TOTAL)).toBe(IN_TOTAL);
    });
    expect(await held.open(PROXY, 1)).toBe(0);
    expect(await held.open(PUPIL, 2)).toBe(0);
    expect((await refusals('process')) - before).toBeGreaterThanOrEqual(3);
    held.close(1);
    await eventually(async () => expect(await held.open(NEIGHBOUR, 1)).toBe(1));
  });
});

import { AppError, type DependencyState } from '@classroom/contracts';
import type { RpcClient } from '@classroom/messaging';
import { SystemClock, type Dependencies } from '@classroom/platform';
import { HealthCheck } from './health.controller.js';

type States = Record<string, DependencyState>;
const SERVICES = ['organization', 'room', 'billing', 'recording', 'media', 'ai'];
const WELL: States = { postgres: 'up', nats: 'up' };
const OWN: States = { nats: 'up', streams: 'up', redis: 'up', s3: 'up' };

/** A check of the gateway's own dependencies and of services with these dependencies; `null` does not respond. */
function checkOf({ own = {}, ...services }: { own?: States } & Record<string, States | null> = {}) {
  const asked: string[] = [];
  const call = async ({ service }: { service: string }) => {
    asked.push(service);
    const dependencies = services[service] === undefined ? WELL : services[service];
    if (!dependencies) throw new AppError('SERVICE_UNAVAILABLE');
    return { dependencies };
  };
  const dependencies = { states: async () => ({ ...OWN, ...own }) } as unknown as Dependencies;
  return { asked, check: new HealthCheck({ call } as unknown as RpcClient, dependencies, new SystemClock()) };
}

describe('the health of the system', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each<[string, string, Parameters<typeof checkOf>[0]]>([
    ['healthy', 'everything works', {}],
    ['degraded', 'Redis is down', { own: { redis: 'down' } }],
    ['degraded', 'the object storage is down', { own: { s3: 'down' } }],
    ['degraded', 'LiveKit is down', { room: { livekit: 'down' } }],
    ...['billing', 'recording', 'media', 'ai'].flatMap((service): [string, string, Parameters<typeof checkOf>[0]][] => [
      ['degraded', `${service} does not respond`, { [service]: null }],
      ['degraded', `the Postgres of ${service} is down`, { [service]: { ...WELL, postgres: 'down' } }],
    ]),
    ...['organization', 'room'].flatMap((service): [string, string, Parameters<typeof checkOf>[0]][] => [
      ['unhealthy', `${service} does not respond`, { [service]: null }],
      ['unhealthy', `the Postgres of ${service} is down`, { [service]: { ...WELL, postgres: 'down' } }],
    ]),
    ['unhealthy', 'a stream is missing', { own: { streams: 'down' } }],
    ['unhealthy', 'a vital and another service are down', { room: null, ai: null }],
  ])('is %s if %s', async (status, _, states) => {
    const { asked, check } = checkOf(states);
    expect((await check.report()).status).toBe(status);
    expect(asked).toEqual(SERVICES);
  });

  it('is unhealthy without NATS, over which no service can be asked', async () => {
    const { asked, check } = checkOf({ own: { nats: 'down' } });
    expect((await check.report()).status).toBe('unhealthy');
    expect(asked).toEqual([]);
  });

  it('is checked again after five seconds, and not before', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    const { asked, check } = checkOf();
    const first = check.report();
    expect(check.report()).toBe(first);
    now.mockReturnValue(6_000);
    expect(check.report()).toBe(first);
    now.mockReturnValue(6_001);
    const second = check.report();
    expect(second).not.toBe(first);
    await Promise.all([first, second]);
    expect(asked).toHaveLength(2 * SERVICES.length);
  });
});

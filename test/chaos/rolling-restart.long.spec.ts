import { randomUUID } from 'node:crypto';
import {
  byForm,
  expectPresenceInvariants,
  inLongForm,
  type ManagedProcess,
  newOrganization,
  newRoom,
  person,
  sleep,
} from '@classroom/testing';
import { expectNoFailure, PER_SECOND, PROBE_EVERY_MS, underLoad, type Balancer, type Gateway } from './balancer.js';
import { CLASS_APPS, startChaosStack, type ChaosStack } from './support.js';

/** Several, because each may send only 1,000 requests a minute. */
const ORGANIZATIONS = 10;
/** Organizations without earlier requests: the gateway does not know them yet and must ask the organization service. */
const UNCACHED_ORGANIZATIONS = byForm({ short: 10, long: 40 });
/** Time for a load balancer to notice "not ready" before the process stops listening, in seconds. */
const SHUTDOWN_DELAY_S = 1;
/** Of a call between services. */
const CALL_TIMEOUT_MS = 5_000;

describe(`a restart under ${PER_SECOND} requests a second`, () => {
  let chaos: ChaosStack;
  let classes: { value: string; roomId: string }[];
  const uncached: string[] = [];
  let first: Gateway;

  beforeAll(async () => {
    chaos = await startChaosStack({ apps: CLASS_APPS, env: { gateway: { SHUTDOWN_DELAY_SECONDS: String(SHUTDOWN_DELAY_S) } } });
    const { stack } = chaos;
    first = { port: stack.ports.gateway, probePort: stack.ports.probes['gateway'] ?? 0 };
    classes = await Promise.all(
      Array.from({ length: ORGANIZATIONS }, async () => {
        const { value, api } = await newOrganization(stack);
        return { value, roomId: (await newRoom(api)).roomId };
      }),
    );
    for (let n = 0; n < UNCACHED_ORGANIZATIONS; n++) uncached.push((await newOrganization(stack)).value);
  });
  afterEach(() => expectPresenceInvariants(chaos.stack));
  afterAll(() => chaos?.stop());

  /** Of 20 requests, 14 get the status, five join and one creates a room. */
  function one(balancer: Balancer, n: number): Promise<void> {
    const { value, roomId } = classes[n % classes.length] ?? { value: '', roomId: '' };
    const kind = n % 20;
    if (kind === 0) {
      const body = { roomId: `room-${randomUUID()}`, title: 'Algebra', participant: person('teacher') };
      return balancer.send('POST', '/v1/room/create', value, body);
    }
    const uncachedId = kind === 10 ? uncached.pop() : undefined;
    if (uncachedId) return balancer.send('GET', '/v1/room/unknown/status', uncachedId);
    if (kind < 6) return balancer.send('POST', `/v1/room/${roomId}/join`, value, { participant: person(`uid-${n}`, 'STUDENT') });
    return balancer.send('GET', `/v1/room/${roomId}/status`, value);
  }

  it('of room, with a second process in its place, fails no request', async () => {
    const { stack } = chaos;
    const replacement = stack.addProcess('room', { name: 'room-2' });
    const balancer = await underLoad([first], one, async () => {
      await replacement.start();
      await stack.app('room').restart();
      expect(await replacement.stop()).toMatchObject({ code: 0 });
    });
    expectNoFailure(balancer);
  });

  inLongForm(it).each(['organization', 'room', 'billing'])(
    'of %s, which has no second process, delays requests and fails none',
    async (name) => {
      let downMs = 0;
      const balancer = await underLoad([first], one, async () => {
        const began = Date.now();
        await chaos.stack.app(name).restart();
        downMs = Date.now() - began;
      });
      // A call that waits for the process times out if a busy machine starts it later than that.
      if (downMs < CALL_TIMEOUT_MS) expectNoFailure(balancer);
      else expect(balancer.failures.filter((failure) => !failure.includes('SERVICE_UNAVAILABLE'))).toEqual([]);
    },
  );

  it('of two gateways, one after the other, fails no request', async () => {
    const { stack } = chaos;
    const port = stack.port();
    const replacement = stack.addProcess('gateway', { name: 'gateway-2', env: { GATEWAY_PORT: String(port) } });
    await replacement.start();
    const second = { port, probePort: stack.ports.probes['gateway-2'] ?? 0 };
    const stopCleanly = async (gateway: ManagedProcess) => {
      expect(await gateway.stop()).toMatchObject({ code: 0 });
    };
    const balancer = await underLoad([first, second], one, async () => {
      await stopCleanly(stack.app('gateway'));
      await stack.app('gateway').start();
      // By then the balancer has probed it.
      await sleep(2 * PROBE_EVERY_MS);
      await stopCleanly(replacement);
    });
    expectNoFailure(balancer);
  });

  inLongForm(it)(
    'of a gateway or a service completes requests in progress',
    async () => {
      const { stack, livekit } = chaos;
      const { api } = await newOrganization(stack);
      await livekit.faults({ api: { latencyMs: 2_000, methods: ['CreateRoom'] } });
      const slow = newRoom(api);
      await sleep(500);
      const [, created] = await Promise.all([stack.app('room').stop(), slow]);
      expect(created.sid).toMatch(/^RM_/);
      await stack.app('room').start();
      const slower = newRoom(api);
      await sleep(500);
      const idle = await fetch(`${stack.urls.gateway}/v1/room/x/status`);
      await idle.arrayBuffer();
      const [exit, answered] = await Promise.all([stack.app('gateway').stop(), slower]);
      expect(answered.sid).toMatch(/^RM_/);
      expect(exit).toMatchObject({ code: 0 });
      await livekit.clearFaults();
      await stack.app('gateway').start();
    },
    60_000,
  );
});

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
import { expectNoFailure, PROBE_EVERY_MS, underLoad, type Balancer, type Gateway } from './balancer.js';
import { CLASS_APPS, startBench, type Bench } from './support.js';

/** Several, because each may send only 1,000 requests a minute. */
const ORGANIZATIONS = 10;
/** Organizations without earlier requests: the gateway does not know them yet and must ask the organization service. */
const STRANGERS = 40;
/** Time for a load balancer to notice "not ready" before the process stops listening, in seconds. */
const SHUTDOWN_DELAY_S = 1;

describe('a restart under 100 requests a second', () => {
  let bench: Bench;
  let classes: { organizationId: string; roomId: string }[];
  const strangers: string[] = [];
  let first: Gateway;

  beforeAll(async () => {
    bench = await startBench({ apps: CLASS_APPS, env: { gateway: { SHUTDOWN_DELAY_SECONDS: String(SHUTDOWN_DELAY_S) } } });
    const { stack } = bench;
    first = { port: stack.ports.gateway, probePort: stack.ports.probes['gateway'] ?? 0 };
    classes = await Promise.all(
      Array.from({ length: ORGANIZATIONS }, async () => {
        const { organizationId, api } = await newOrganization(stack);
        return { organizationId, roomId: (await newRoom(api)).roomId };
      }),
    );
    for (let n = 0; n < STRANGERS; n++) strangers.push((await newOrganization(stack)).organizationId);
  });
  afterEach(() => expectPresenceInvariants(bench.stack));
  afterAll(() => bench?.stop());

  /** Of 20 requests, 14 get the status, five join and one creates a room. */
  function one(balancer: Balancer, n: number): Promise<void> {
    const { organizationId, roomId } = classes[n % classes.length] ?? { organizationId: '', roomId: '' };
    const kind = n % 20;
    if (kind === 0) {
      const body = { roomId: `room-${randomUUID()}`, title: 'Algebra', participant: person('teacher') };
      return balancer.send('POST', '/v1/room/create', organizationId, body);
    }
    const stranger = kind === 10 ? strangers.pop() : undefined;
    if (stranger) return balancer.send('GET', '/v1/room/unknown/status', stranger);
    if (kind < 6) return balancer.send('POST', `/v1/room/${roomId}/join`, organizationId, { participant: person(`uid-${n}`, 'STUDENT') });
    return balancer.send('GET', `/v1/room/${roomId}/status`, organizationId);
  }

  it.each(byForm({ short: ['room'], long: ['organization', 'room', 'billing'] }))('of %s delays requests, and fails none', async (name) => {
    expectNoFailure(await underLoad([first], one, () => bench.stack.app(name).restart()));
  });

  it('of two gateways, one after the other, fails no request', async () => {
    const { stack } = bench;
    const port = stack.port();
    const beside = stack.addProcess('gateway', { name: 'gateway-2', env: { GATEWAY_PORT: String(port) } });
    await beside.start();
    const second = { port, probePort: stack.ports.probes['gateway-2'] ?? 0 };
    const stopping = async (gateway: ManagedProcess) => {
      expect(await gateway.stop()).toMatchObject({ code: 0 });
    };
    const balancer = await underLoad([first, second], one, async () => {
      await stopping(stack.app('gateway'));
      await stack.app('gateway').start();
      // By then the balancer has probed it.
      await sleep(2 * PROBE_EVERY_MS);
      await stopping(beside);
    });
    expectNoFailure(balancer);
  });

  inLongForm(it)(
    'of a gateway or a service completes requests in progress',
    async () => {
      const { stack, livekit } = bench;
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

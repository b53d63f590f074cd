import { eventually, newOrganization, newRoom, RtcParticipant, TestStack, type ApiClient } from '@classroom/testing';

/** What an operator reads at /metrics, beside the durations of every call. */
describe('the metrics of a running class', () => {
  let stack: TestStack;
  let api: ApiClient;

  beforeAll(async () => {
    stack = await TestStack.start({ apps: ['organization', 'room', 'gateway', 'billing'] });
    ({ api } = await newOrganization(stack));
  }, 120_000);

  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await stack?.stop();
  }, 60_000);

  /** One sample, by its name and labels as they are written. */
  async function sample(app: string, name: string, ...labels: string[]): Promise<number | undefined> {
    const text = await (await fetch(`http://127.0.0.1:${stack.ports.probes[app]}/metrics`)).text();
    const line = text.split('\n').find((it) => it.startsWith(`${name}{`) && labels.every((label) => it.includes(label)));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  }

  it('count rooms and people, and say how fresh that is', async () => {
    const { token } = await newRoom(api);
    await newRoom(api);
    await RtcParticipant.connect(stack.urls.livekitPublic, token);
    await eventually(async () => {
      expect(await sample('room', 'classroom_room_rooms', 'state="live"')).toBe(1);
      expect(await sample('room', 'classroom_room_rooms', 'state="created"')).toBe(1);
      expect(await sample('room', 'classroom_room_participants')).toBe(1);
      expect(await sample('room', 'classroom_room_presence_changes_total', 'state="open"', 'evidence="')).toBeGreaterThanOrEqual(1);
    }, 20_000);
    await eventually(async () => expect(await sample('room', 'classroom_room_verified_age_seconds')).toBeLessThan(60), 30_000);
  }, 60_000);

  it('tell what waits, in every service that has something to wait for', async () => {
    for (const app of ['organization', 'room', 'billing']) {
      await eventually(async () => expect(await sample(app, 'classroom_outbox_waiting')).toBe(0), 10_000);
      expect(await sample(app, 'classroom_outbox_lag_seconds')).toBe(0);
    }
    await eventually(async () => expect(await sample('billing', 'classroom_consumer_waiting', 'consumer="billing-fold"')).toBe(0), 10_000);
    expect(await sample('room', 'classroom_consumer_waiting', 'consumer="room-presence"')).toBe(0);
    expect(await sample('billing', 'classroom_job_overdue_seconds', 'queue="credit-rollup"')).toBeLessThan(60);
    expect(await sample('billing', 'classroom_billing_imbalance_credits')).toBe(0);
  }, 60_000);

  it('say which part is away', async () => {
    expect(await sample('room', 'classroom_dependency_up', 'dependency="livekit"')).toBe(1);
    await stack.part('livekit').stop();
    await eventually(async () => expect(await sample('room', 'classroom_dependency_up', 'dependency="livekit"')).toBe(0), 20_000);
    expect(await sample('room', 'classroom_dependency_up', 'dependency="postgres"')).toBe(1);
  }, 60_000);
});

import { randomUUID } from 'node:crypto';
import { connectNats, DeadLetters } from '@classroom/messaging';
import { byForm, eventually, metricSample, newOrganization, newRoom, RtcParticipant, TestStack, type ApiClient } from '@classroom/testing';

/** The metrics that an operator reads, in addition to the durations of every call. */
describe('the metrics of a running class', () => {
  let stack: TestStack;
  let api: ApiClient;

  beforeAll(async () => {
    stack = await TestStack.start({ apps: ['organization', 'room', 'gateway', 'billing', 'ai'] });
    ({ api } = await newOrganization(stack));
  });

  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await stack?.stop();
  });

  const sample = (app: string, name: string, ...labels: string[]) => metricSample(stack, app, name, ...labels);

  it('count rooms and participants, and give the age of these numbers', async () => {
    const { token } = await newRoom(api);
    await newRoom(api);
    await RtcParticipant.connect(stack.urls.livekitPublic, token);
    await eventually(async () => {
      expect(await sample('room', 'classroom_room_rooms', 'state="live"')).toBe(1);
      expect(await sample('room', 'classroom_room_rooms', 'state="created"')).toBe(1);
      expect(await sample('room', 'classroom_room_participants')).toBe(1);
      expect(await sample('room', 'classroom_reconcile_overdue_rooms')).toBe(0);
      expect(await sample('room', 'classroom_room_presence_changes_total', 'state="open"', 'evidence="')).toBeGreaterThanOrEqual(1);
    });
    await eventually(async () => expect(await sample('room', 'classroom_room_verified_age_seconds')).toBeLessThan(60));
  });

  it('say which version of each app runs', async () => {
    for (const app of ['organization', 'room', 'gateway', 'billing', 'ai'])
      expect([app, await sample(app, 'classroom_build_info', 'version="0.2.0"')]).toEqual([app, 1]);
  });

  it('give the backlog of every service that has one', async () => {
    for (const app of ['organization', 'room', 'billing']) {
      await eventually(async () => expect(await sample(app, 'classroom_outbox_waiting')).toBe(0));
      expect(await sample(app, 'classroom_outbox_lag_seconds')).toBe(0);
    }
    await eventually(async () => expect(await sample('billing', 'classroom_consumer_waiting', 'consumer="billing-fold"')).toBe(0));
    for (const gauge of ['waiting', 'lag_seconds'])
      expect(await sample('room', `classroom_consumer_${gauge}`, 'consumer="room-presence"')).toBe(0);
    expect(await sample('room', 'classroom_dead_letters', 'consumer="room-presence"')).toBe(0);
    expect(await sample('billing', 'classroom_billing_session_drift_seconds')).toBe(0);
    expect(await sample('billing', 'classroom_job_overdue_seconds', 'queue="credit-rollup"')).toBeLessThan(60);
    expect(await sample('billing', 'classroom_billing_imbalance_credits')).toBe(0);
  });

  it('count dead letters until an operator replays or deletes them', async () => {
    const connection = await connectNats(stack.urls.nats, 'test');
    try {
      connection.publish('livekit.room.started.p00', 'not JSON');
      await eventually(async () => expect(await sample('room', 'classroom_dead_letters', 'consumer="room-presence"')).toBe(1));
      const letters = new DeadLetters(connection);
      const [letter] = await letters.list();
      await letters.drop(letter?.sequence ?? 0);
      await eventually(async () => expect(await sample('room', 'classroom_dead_letters', 'consumer="room-presence"')).toBe(0));
    } finally {
      await connection.close();
    }
  });

  it('count attempts to call models', async () => {
    const { status } = await api.post('/v1/ai-agent/chat', { chatId: randomUUID(), message: 'What is a leaf?', responseType: 'text' });
    expect(status).toBe(200);
    expect(await sample('ai', 'classroom_ai_attempts_total', 'outcome="OK"', 'provider="offline"')).toBeGreaterThanOrEqual(1);
  });

  // All services use the same library.
  it.each(byForm({ short: ['gateway'], long: ['gateway', 'organization', 'room', 'billing', 'ai'] }))(
    'describe the process of %s',
    async (app) => {
      const startedAt = await sample(app, 'process_start_time_seconds');
      expect(Math.abs(Date.now() / 1000 - (startedAt ?? 0))).toBeLessThan(600);
      expect(await sample(app, 'process_start_time_seconds')).toBe(startedAt);
      expect(await sample(app, 'process_resident_memory_bytes')).toBeGreaterThan(20_000_000);
      expect(await sample(app, 'nodejs_heap_size_used_bytes')).toBeGreaterThan(5_000_000);
      expect(await sample(app, 'process_cpu_seconds_total')).toBeGreaterThan(0.1);
      const late = await sample(app, 'nodejs_eventloop_lag_max_seconds');
      expect(late).toBeGreaterThanOrEqual(0);
      expect(late).toBeLessThan(60);
      await stack.app(app).restart();
      expect(await sample(app, 'process_start_time_seconds')).toBeGreaterThan(startedAt ?? 0);
    },
  );

  it('show which dependency is unreachable', async () => {
    expect(await sample('room', 'classroom_dependency_up', 'dependency="livekit"')).toBe(1);
    await stack.part('livekit').stop();
    await eventually(async () => expect(await sample('room', 'classroom_dependency_up', 'dependency="livekit"')).toBe(0));
    expect(await sample('room', 'classroom_dependency_up', 'dependency="postgres"')).toBe(1);
  });
});

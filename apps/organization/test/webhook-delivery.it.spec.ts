import {
  deleteWebhookEndpoint,
  getWebhookDelivery,
  listWebhookDeliveries,
  replayWebhookDelivery,
  replayWebhooks,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from '@classroom/contracts';
import { eventually, WebhookReceiver } from '@classroom/testing';
import { MAX_ATTEMPTS } from '../src/webhooks/deliver-due.js';
import { DAY, HOUR, newSid, receivedEvents, verify, WebhookFixture } from './support/webhook-fixture.js';

const LANES = 4;
let fixture: WebhookFixture;
let receiver: WebhookReceiver;
let organizationId: string;
let path: string;
/** Milliseconds by which the moved clock is ahead of the system's. It never moves back: what was due stays due. */
let ahead = 0;

async function moveClock(byMs: number): Promise<void> {
  await fixture.stack.moveClock((ahead += byMs));
}

beforeAll(async () => {
  [fixture, receiver] = await Promise.all([WebhookFixture.start(), WebhookReceiver.start()]);
});
afterAll(async () => {
  await fixture?.stop();
  await receiver?.stop();
});
beforeEach(async () => {
  organizationId = await fixture.newOrganization();
  path = `/${newSid()}`;
});

/** Sets the answer for this test's path; all other paths keep theirs. */
function onPath(answer: WebhookReceiver['answer']): void {
  const [own, before] = [path, receiver.answer];
  receiver.answer = (webhook) => (webhook.path === own ? answer(webhook) : before(webhook));
}

const endpointHere = (overrides: object = {}) => fixture.newEndpoint(organizationId, receiver.url(path), overrides);
const roomsCreated = (count: number) => Promise.all(Array.from({ length: count }, () => fixture.roomCreated(organizationId)));
const arrived = () => new Set(receiver.on(path).map(({ headers }) => headers['webhook-id'])).size;

/** A webhook of another school arrives twice: by then the loop has also looked at this school's deliveries, and sent what was due. */
async function dueAreSent(): Promise<void> {
  const other = await fixture.newOrganization();
  const at = `/${newSid()}`;
  await fixture.newEndpoint(other, receiver.url(at));
  for (const count of [1, 2]) {
    await fixture.roomCreated(other);
    await eventually(() => expect(receiver.on(at)).toHaveLength(count));
  }
}

/** The outcome of each attempt is written: the next pause starts at the moved clock's present time. */
async function expectPaused(endpointId: string): Promise<void> {
  const log = await fixture.deliveries(organizationId, endpointId);
  expect(log.every(({ nextAttemptAt }) => nextAttemptAt === null || Date.parse(nextAttemptAt) > Date.now() + ahead)).toBe(true);
}

it('after an hour of downtime, a backend gets all webhooks, signed and with the ids of the first attempts', async () => {
  const { endpointId, secret } = await endpointHere();
  let isDown = true;
  onPath(() => ({ status: isDown ? 503 : 200 }));
  const sids = await roomsCreated(20);
  await eventually(() => expect(arrived()).toBe(20));
  for (let minutes = 0; minutes < 60; minutes += 20) {
    await eventually(() => expectPaused(endpointId));
    const attempts = receiver.on(path).length;
    await moveClock(HOUR / 3);
    await eventually(() => expect(receiver.on(path).length).toBeGreaterThanOrEqual(attempts + 20));
  }
  await eventually(() => expectPaused(endpointId));
  expect((await fixture.deliveries(organizationId, endpointId)).every(({ status }) => status === 'pending')).toBe(true);
  isDown = false;
  await moveClock(HOUR);
  await eventually(async () =>
    expect((await fixture.deliveries(organizationId, endpointId)).map(({ status }) => status)).toEqual(Array(20).fill('delivered')),
  );
  expect(arrived()).toBe(20);
  expect(
    receiver
      .on(path)
      .map(({ event }) => event.data['sid'])
      .toSorted(),
  ).toEqual(expect.arrayContaining(sids.toSorted()));
  for (const webhook of receiver.on(path))
    expect(verify(secret, webhook)).toMatchObject({ id: webhook.headers['webhook-id'], type: 'room.created' });
  expect((await fixture.endpoint(organizationId, endpointId)).failingSince).toBeNull();
});

it('a delivery that failed for 24 hours is kept, and can be replayed alone or by time range', async () => {
  const { endpointId } = await endpointHere();
  let isDown = true;
  onPath(() => ({ status: isDown ? 500 : 200, body: `no\u0000${'x'.repeat(5_000)}` }));
  await roomsCreated(3);
  await eventually(() => expect(arrived()).toBe(3));
  const attempted = async (count: number) => {
    const log = await fixture.deliveries(organizationId, endpointId);
    expect(log.map(({ attempts }) => attempts)).toEqual([count, count, count]);
    await expectPaused(endpointId);
  };
  for (let count = 1; count < 11; count += 1) {
    await eventually(() => attempted(count));
    await moveClock(10 * HOUR);
  }
  await eventually(async () =>
    expect((await fixture.deliveries(organizationId, endpointId)).map(({ status, nextAttemptAt }) => [status, nextAttemptAt])).toEqual(
      Array(3).fill(['failed', null]),
    ),
  );
  await attempted(11);
  const [last] = await fixture.deliveries(organizationId, endpointId);
  expect(last?.lastAttempt).toMatchObject({ statusCode: 500, error: 'status' });
  expect(last?.lastAttempt?.responseBody).toBe(`no${'x'.repeat(1_022)}`);
  await fixture.call(updateWebhookEndpoint, { organizationId, endpointId, changes: { isEnabled: true } });
  isDown = false;
  const deliveryId = last?.deliveryId ?? '';
  await fixture.call(replayWebhookDelivery, { organizationId, endpointId, deliveryId });
  await eventually(async () =>
    expect(await fixture.call(getWebhookDelivery, { organizationId, endpointId, deliveryId })).toMatchObject({
      status: 'delivered',
      attempts: 1,
    }),
  );
  const failed = { organizationId, endpointId, since: new Date(Date.now() - HOUR).toISOString(), status: 'failed' as const, types: [] };
  expect(await fixture.call(replayWebhooks, { ...failed, types: ['room.finished'] })).toEqual({ queued: 0, hasMore: false });
  expect(await fixture.call(replayWebhooks, { ...failed, until: new Date(Date.now() + HOUR).toISOString() })).toEqual({
    queued: 2,
    hasMore: false,
  });
  await eventually(async () =>
    expect((await fixture.deliveries(organizationId, endpointId)).every(({ status }) => status === 'delivered')).toBe(true),
  );
  const delivered = await fixture.call(listWebhookDeliveries, { organizationId, endpointId, status: 'delivered', limit: 2 });
  expect(delivered).toMatchObject({ deliveries: [{}, {}], nextCursor: expect.any(String) });
  const rest = await fixture.call(listWebhookDeliveries, {
    organizationId,
    endpointId,
    status: 'delivered',
    limit: 2,
    cursor: delivered.nextCursor ?? '',
  });
  expect(rest).toMatchObject({ deliveries: [{}], nextCursor: null });
});

it('an endpoint that does not answer gets timeouts and four requests at a time, and delays no other endpoint', async () => {
  const { endpointId } = await endpointHere();
  onPath(() => ({ delayMs: 30_000 }));
  const quick = await fixture.newOrganization();
  await fixture.newEndpoint(quick, receiver.url(`${path}-quick`));
  await roomsCreated(6);
  await eventually(() => expect(receiver.on(path).length).toBeGreaterThan(0));
  await Promise.all(Array.from({ length: 6 }, () => fixture.roomCreated(quick)));
  await eventually(() => expect(receiver.on(`${path}-quick`)).toHaveLength(6));
  await eventually(async () =>
    expect(
      (await fixture.deliveries(organizationId, endpointId)).filter(({ lastAttempt }) => lastAttempt?.error === 'timeout'),
    ).toHaveLength(6),
  );
  expect(receiver.mostAtOnce(path)).toBeLessThanOrEqual(LANES);
  await fixture.call(deleteWebhookEndpoint, { organizationId, endpointId });
});

it('a redirect is not followed', async () => {
  const { endpointId } = await endpointHere();
  onPath(() => ({ status: 307, headers: { location: receiver.url(`${path}-elsewhere`) } }));
  await roomsCreated(1);
  await eventually(async () =>
    expect(await fixture.deliveries(organizationId, endpointId)).toMatchObject([
      { status: 'pending', lastAttempt: { statusCode: 307, error: 'redirect' } },
    ]),
  );
  expect(receiver.on(`${path}-elsewhere`)).toEqual([]);
});

it('410 disables an endpoint immediately: other endpoints are notified, and it can be enabled again', async () => {
  const { endpointId } = await endpointHere();
  await fixture.newEndpoint(organizationId, receiver.url(`${path}-other`), { eventTypes: ['webhook.endpoint_disabled'] });
  let answersGone = true;
  onPath(() => ({ status: answersGone ? 410 : 204 }));
  await roomsCreated(1);
  await eventually(() =>
    expect(receiver.on(`${path}-other`)).toMatchObject([
      { event: { type: 'webhook.endpoint_disabled', data: { endpointId, reason: 'gone' } } },
    ]),
  );
  expect(await fixture.endpoint(organizationId, endpointId)).toMatchObject({
    isEnabled: false,
    disabledReason: 'gone',
    disabledAt: expect.any(String),
  });
  expect((await fixture.history(organizationId)).map(({ type }) => type)).toEqual(['room.created', 'webhook.endpoint_disabled']);
  expect(await fixture.deliveries(organizationId, endpointId)).toMatchObject([{ status: 'failed', attempts: 1 }]);
  const refused = { code: 'WEBHOOK_ENDPOINT_DISABLED' };
  await expect(fixture.call(testWebhookEndpoint, { organizationId, endpointId })).rejects.toMatchObject(refused);
  const range = { organizationId, endpointId, since: new Date(Date.now() - HOUR).toISOString(), status: 'failed' as const, types: [] };
  await expect(fixture.call(replayWebhooks, range)).rejects.toMatchObject(refused);

  await roomsCreated(2);
  await eventually(async () => expect(await fixture.history(organizationId)).toHaveLength(4));
  expect(receiver.on(path)).toHaveLength(1);
  answersGone = false;
  await fixture.call(updateWebhookEndpoint, { organizationId, endpointId, changes: { isEnabled: true } });
  expect(await fixture.call(replayWebhooks, { ...range, status: 'missed', types: ['room.created'] })).toEqual({
    queued: 2,
    hasMore: false,
  });
  expect(await fixture.call(replayWebhooks, { ...range, status: 'missed', types: ['room.created'] })).toEqual({
    queued: 0,
    hasMore: false,
  });
  expect(await fixture.call(replayWebhooks, range)).toEqual({ queued: 1, hasMore: false });
  await eventually(() => expect(receiver.on(path)).toHaveLength(4));
  expect(arrived()).toBe(3);
});

it('Retry-After delays all deliveries of the endpoint', async () => {
  const { endpointId } = await endpointHere();
  let isBusy = true;
  onPath(() => (isBusy ? { status: 429, headers: { 'retry-after': '3600' } } : {}));
  const [first] = await roomsCreated(1);
  const [delivery] = await eventually(async () => {
    const log = await fixture.deliveries(organizationId, endpointId);
    expect(log).toMatchObject([{ lastAttempt: { statusCode: 429 } }]);
    return log;
  });
  expect(Date.parse(delivery?.nextAttemptAt ?? '') - Date.now() - ahead).toBeGreaterThan(0.9 * HOUR);
  isBusy = false;
  const [second] = await roomsCreated(1);
  await moveClock(HOUR / 2);
  await eventually(async () => expect(await fixture.deliveries(organizationId, endpointId)).toHaveLength(2));
  await dueAreSent();
  expect(receiver.on(path)).toHaveLength(1);
  await moveClock(HOUR);
  await eventually(() =>
    expect(receivedEvents(receiver, path).slice(1).toSorted()).toEqual([`room.created ${first}`, `room.created ${second}`].toSorted()),
  );
});

it('an endpoint that answers with Retry-After gets only the requests that were already sent', async () => {
  const { endpointId } = await endpointHere();
  let isBusy = false;
  onPath(() => (isBusy ? { status: 503, headers: { 'retry-after': '3600' } } : { status: 500 }));
  await roomsCreated(12);
  await eventually(async () =>
    expect((await fixture.deliveries(organizationId, endpointId)).filter(({ lastAttempt }) => lastAttempt !== null)).toHaveLength(12),
  );
  isBusy = true;
  const before = receiver.on(path).length;
  await moveClock(60_000);
  await eventually(() => expect(receiver.on(path).length).toBeGreaterThan(before));
  await dueAreSent();
  expect(receiver.on(path).length - before).toBeLessThanOrEqual(LANES);
});

it('failures before a silence do not count: the first failure after a holiday disables no endpoint', async () => {
  const { endpointId } = await endpointHere();
  onPath(() => ({ status: 500 }));
  const test = () => fixture.call(testWebhookEndpoint, { organizationId, endpointId });
  const failedSince = async () => Date.parse((await fixture.endpoint(organizationId, endpointId)).failingSince ?? '');
  await test();
  for (let attempt = 2; attempt <= MAX_ATTEMPTS; attempt++) {
    await eventually(() => expectPaused(endpointId));
    await moveClock(10 * HOUR);
    await eventually(() => expect(receiver.on(path)).toHaveLength(attempt));
  }
  await dueAreSent();
  const before = await failedSince();
  await moveClock(5 * DAY);
  await test();
  await eventually(async () => expect((await failedSince()) - before).toBeGreaterThan(5 * DAY));
  expect(await fixture.endpoint(organizationId, endpointId)).toMatchObject({ isEnabled: true });
  // From then on they count again.
  const since = await failedSince();
  for (const _ of [1, 2, 3]) {
    await moveClock(DAY);
    await test();
    await dueAreSent();
  }
  expect(await failedSince()).toBe(since);
});

it('five days of failures without a success disable an endpoint', async () => {
  const { endpointId } = await endpointHere();
  let isDown = true;
  onPath(() => ({ status: isDown ? 500 : 200 }));
  const fail = async () => {
    const before = receiver.on(path).length;
    await fixture.call(testWebhookEndpoint, { organizationId, endpointId });
    await eventually(() => expect(receiver.on(path).length).toBeGreaterThan(before));
  };
  const failingSince = async () => (await fixture.endpoint(organizationId, endpointId)).failingSince;
  await fail();
  await eventually(async () => expect(await failingSince()).not.toBeNull());
  isDown = false;
  await moveClock(4 * DAY);
  await eventually(async () => expect(await failingSince()).toBeNull());
  isDown = true;
  await moveClock(2 * DAY);
  await fail();
  await eventually(async () => expect(await failingSince()).not.toBeNull());
  expect(await fixture.endpoint(organizationId, endpointId)).toMatchObject({ isEnabled: true });
  await moveClock(5 * DAY);
  await eventually(async () =>
    expect(await fixture.endpoint(organizationId, endpointId)).toMatchObject({ isEnabled: false, disabledReason: 'failing' }),
  );
  expect((await fixture.history(organizationId)).map(({ type, data }) => [type, data['reason']])).toEqual([
    ['webhook.endpoint_disabled', 'failing'],
  ]);
  const attempts = receiver.on(path).length;
  await moveClock(DAY);
  await dueAreSent();
  expect(receiver.on(path)).toHaveLength(attempts);
});

it('a trace links the fact to the webhook, without its secret and address', async () => {
  const { secret } = await fixture.newEndpoint(organizationId, `${receiver.url(path)}?token=canary`);
  await roomsCreated(1);
  interface Span {
    name: string;
    traceId: string;
    attributes: Record<string, unknown>;
    links: { traceId: string }[];
  }
  const webhook = await eventually(() => {
    const [first] = receiver.on(`${path}?token=canary`);
    expect(first).toBeDefined();
    return first;
  });
  const [span, all] = await eventually(() => {
    const spans = fixture.stack.spans<Span>();
    const found = spans.find(({ name, attributes }) => name === 'deliver webhook' && attributes['webhook.event.id'] === webhook?.event.id);
    expect(found).toBeDefined();
    return [found as Span, spans] as const;
  });
  expect(span.attributes).toMatchObject({ 'http.request.method': 'POST', 'http.response.status_code': 200 });
  expect(all.filter(({ traceId }) => traceId === span.links[0]?.traceId).map(({ name }) => name)).toContain('process organization-facts');
  for (const text of ['canary', secret, organizationId])
    expect(JSON.stringify(all.map(({ attributes }) => attributes))).not.toContain(text);
});

import { listEvents, listWebhookDeliveries } from '@classroom/contracts';
import { byForm, eventually, inLongForm, sleep, unhandled, WebhookReceiver } from '@classroom/testing';
import { newSid, receivedEvents, verify, WebhookFixture } from './support/webhook-fixture.js';

/** Steps between a fact and its delivery at which the test kills the process; in the long form every one. */
const FAILPOINTS = byForm({
  short: ['organization.facts.before-commit', 'organization.facts.after-commit', 'organization.webhooks.after-send'],
  long: [
    'organization.facts.before-transaction',
    'organization.facts.before-commit',
    'organization.facts.after-commit',
    'organization.webhooks.after-claim',
    'organization.webhooks.after-send',
    'organization.webhooks.before-commit',
    'organization.webhooks.after-commit',
  ],
});

const ROOMS = byForm({ short: 100, long: 200 });
let fixture: WebhookFixture;
let receiver: WebhookReceiver;

beforeAll(async () => {
  [fixture, receiver] = await Promise.all([WebhookFixture.start(), WebhookReceiver.start()]);
});
afterAll(async () => {
  await fixture?.stop();
  await receiver?.stop();
});

async function newSchool() {
  const organizationId = await fixture.newOrganization();
  const path = `/${newSid()}`;
  const { endpointId, secret } = await fixture.newEndpoint(organizationId, receiver.url(path));
  return { organizationId, path, endpointId, secret };
}

/**
 * Expects that the history contains these rooms once each, numbered 1, 2, 3 …, and that the endpoint received each at least
 * once, signed, under the event's id in the history.
 */
async function expectAllReceived({ organizationId, path, secret }: Awaited<ReturnType<typeof newSchool>>, sids: string[]): Promise<void> {
  await eventually(() => expect(new Set(receivedEvents(receiver, path))).toEqual(new Set(sids.map((sid) => `room.created ${sid}`))));
  const history = await fixture.history(organizationId, 7);
  expect(history.map(({ sequence }) => sequence)).toEqual(sids.map((_, index) => index + 1));
  expect(history.map(({ data }) => data['sid']).toSorted()).toEqual(sids.toSorted());
  const known = new Map(history.map((event) => [event.id, event]));
  for (const webhook of receiver.on(path)) expect(verify(secret, webhook)).toEqual(known.get(webhook.event.id));
}

it('after a kill at each step, every event is delivered, and is in the history once', async () => {
  const organization = fixture.stack.app('organization');
  const schools: { school: Awaited<ReturnType<typeof newSchool>>; sids: string[] }[] = [];
  // One school each, because a killed worker holds the job of its endpoint until the lock expires.
  for (const _ of FAILPOINTS) schools.push({ school: await newSchool(), sids: [] });
  await organization.stop();
  for (const [n, failpoint] of FAILPOINTS.entries()) {
    organization.launch({ FAILPOINTS: `${failpoint}=crash` });
    const { school, sids } = schools[n] as (typeof schools)[number];
    sids.push(await fixture.roomCreated(school.organizationId), await fixture.roomCreated(school.organizationId));
    await organization.exited;
  }
  await organization.start();
  for (const { school, sids } of schools) await expectAllReceived(school, sids);
  // Only what was sent before a process died was sent again.
  const received = schools.flatMap(({ school }) => receiver.on(school.path));
  expect(received.length).toBeLessThanOrEqual(FAILPOINTS.length * 4);
  for (const { school } of schools) {
    await eventually(async () =>
      expect((await fixture.deliveries(school.organizationId, school.endpointId)).every(({ status }) => status === 'delivered')).toBe(true),
    );
  }
});

inLongForm(it)('without Redis, events are still delivered', async () => {
  const school = await newSchool();
  await fixture.stack.part('redis').kill();
  const sids = await Promise.all(Array.from({ length: 8 }, () => fixture.roomCreated(school.organizationId)));
  await expectAllReceived(school, sids);
  await fixture.stack.part('redis').start();
  sids.push(await fixture.roomCreated(school.organizationId));
  await expectAllReceived(school, sids);
});

it('without NATS, accepted events are delivered, and later ones when it is back', async () => {
  const school = await newSchool();
  let isDown = true;
  receiver.answer = ({ path }) => ({ status: isDown && path === school.path ? 503 : 200 });
  const sids = [await fixture.roomCreated(school.organizationId)];
  await eventually(() => expect(receiver.on(school.path).length).toBeGreaterThan(0));
  await fixture.stack.part('nats').kill();
  isDown = false;
  await eventually(() => expect(receiver.on(school.path).length).toBeGreaterThan(1));
  await fixture.stack.part('nats').start();
  sids.push(await fixture.roomCreated(school.organizationId));
  await expectAllReceived(school, sids);
});

it('with two workers and many rooms, a reader never sees a gap, and nothing is sent twice', async () => {
  const school = await newSchool();
  const second = fixture.stack.addProcess('organization', { name: 'organization-2' });
  await second.start();
  try {
    const seen: number[] = [];
    const readAlong = async () => {
      for (let after = 0; seen.length < ROOMS;) {
        const { events, nextCursor } = await fixture.call(listEvents, { organizationId: school.organizationId, after, limit: 50 });
        seen.push(...events.map(({ sequence }) => sequence));
        after = Number(nextCursor);
        if (after > ROOMS) throw new Error('the history is longer than it can be');
        if (events.length === 0) await sleep(20);
      }
    };
    const reading = readAlong();
    const sids: string[] = [];
    while (sids.length < ROOMS)
      sids.push(...(await Promise.all(Array.from({ length: 20 }, () => fixture.roomCreated(school.organizationId)))));
    await eventually(async () => expect(await unhandled(fixture.stack, 'organizationFacts')).toBe(0));
    await eventually(() => expect(seen.length).toBeGreaterThanOrEqual(ROOMS));
    await reading;
    expect(seen).toEqual(sids.map((_, index) => index + 1));
    await expectAllReceived(school, sids);
    await eventually(async () =>
      expect((await fixture.call(listWebhookDeliveries, { ...school, status: 'pending', limit: 100 })).deliveries).toEqual([]),
    );
    expect(receiver.on(school.path)).toHaveLength(sids.length);
  } finally {
    await second.stop();
  }
});

it('a fact that is repeated, late or corrected makes one event', async () => {
  const { organizationId, path } = await newSchool();
  const sid = await fixture.roomCreated(organizationId);
  await fixture.roomCreated(organizationId, sid);
  await fixture.connection(organizationId, sid, 'PA_1', { leftAt: '2026-01-01T10:10:00.000Z', version: 2 });
  await fixture.connection(organizationId, sid, 'PA_1', { leftAt: null, version: 1 });
  await fixture.connection(organizationId, sid, 'PA_1', { leftAt: '2026-01-01T10:20:00.000Z', version: 3 });
  await fixture.roomStarted(organizationId, sid);
  const types = ['room.created', 'participant.joined', 'participant.left', 'room.started'];
  await eventually(async () => expect((await fixture.history(organizationId)).map(({ type }) => type)).toEqual(types));
  const { events } = await fixture.call(listEvents, { organizationId, after: 1, types: ['participant.left', 'room.started'], limit: 1 });
  expect(events).toMatchObject([{ sequence: 3, data: { duration: 600, connectionId: 'PA_1' } }]);
  await eventually(() => expect(receiver.on(path)).toHaveLength(4));
});

import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { DataSource } from 'typeorm';
import { CONSUMERS, eventsAppendedSubject, roomCreated, type EventEnvelope } from '@classroom/contracts';
import { acceptNew, untraced } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock, logger } from '@classroom/platform';
import { envelopeOf, eventually, TestStack } from '@classroom/testing';
import type { OrganizationConfig } from '../src/config.js';
import { DueSignal, FanOut, PublicEventPublisher, RecordFacts } from '../src/webhooks/publish-events.js';
import { HistoryRepository } from '../src/events/history.repository.js';
import { DeliveriesRepository, DeliveryListRepository, type ClaimedDelivery, type Outcome } from '../src/webhooks/deliveries.repository.js';
import { EndpointsRepository } from '../src/webhooks/endpoints.repository.js';
import { ResealSecrets, SigningSecrets } from '../src/webhooks/post-webhook.js';
import { OrganizationsRepository } from '../src/organizations/organizations.repository.js';
import { WebhookSweep } from '../src/webhooks/deliveries.js';
import { OrganizationEntity } from '../src/schema/organization.entity.js';
import { WebhookEndpointEntity } from '../src/schema/webhook-endpoint.entity.js';
import { connectMigrated } from './support/database-fixture.js';
import { DAY, newSid } from './support/webhook-fixture.js';

class MovedClock extends Clock {
  ahead = 0;

  override now(): Date {
    return new Date(Date.now() + this.ahead);
  }
}

const LEASE_MS = 60_000;
const [OLD, NEW] = ['the secret that sealed all until now, long', 'the secret that seals from now on, as long'] as const;
const secretsOf = (...keys: [string, ...string[]]) => ({ WEBHOOK_KEY_SECRET: keys }) as unknown as OrganizationConfig;

let stack: TestStack;
let dataSource: DataSource;
let database: Database;
let nats: NatsConnection;
let clock: MovedClock;
let endpoints: EndpointsRepository;
let deliveries: DeliveriesRepository;
let deliveryList: DeliveryListRepository;
let history: HistoryRepository;
let recordFact: (fact: EventEnvelope) => Promise<void>;

beforeAll(async () => {
  logger.level = 'silent';
  stack = await TestStack.parts(['postgres', 'nats']);
  nats = await connect(stack.nats);
  dataSource = await connectMigrated(stack);
  database = new Database(dataSource);
  endpoints = new EndpointsRepository(database);
  deliveries = new DeliveriesRepository(database);
  deliveryList = new DeliveryListRepository(database);
  history = new HistoryRepository(database);
});
afterAll(async () => {
  await nats?.close();
  await dataSource?.destroy();
  await stack?.stop();
});
beforeEach(() => {
  clock = new MovedClock();
  const facts = new RecordFacts(
    database,
    new PublicEventPublisher(history, new FanOut(deliveries, endpoints, new DueSignal(), clock), clock, nats),
  );
  recordFact = (body) =>
    facts.execute([untraced(body)], (tx, items, idOf) => acceptNew(tx, CONSUMERS.organizationFacts.durable, items, idOf, clock.wall()));
});

async function newEndpoint(organizationId: string, { endpointId = `we_${newSid()}`, secret = 'sealed' } = {}): Promise<string> {
  const at = new Date();
  await database.transaction((tx) =>
    endpoints.insert(tx, {
      endpointId,
      organizationId,
      url: 'https://school.example',
      description: '',
      eventTypes: [],
      secret,
      previousSecret: null,
      previousSecretUntil: null,
      isEnabled: true,
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      lastFailedAt: null,
      heldUntil: null,
      idempotencyKey: null,
      idempotencyHash: null,
      rotationKey: null,
      createdAt: at,
      updatedAt: at,
      deletedAt: null,
    }),
  );
  return endpointId;
}

async function roomsCreated(organizationId: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const sid = newSid();
    const data = { organizationId, sid, roomId: 'r', title: 'T', createdAt: new Date().toISOString(), autoRecord: false };
    await recordFact(envelopeOf(roomCreated, sid, data));
  }
}

const claim = (endpointId: string, wall = new Date()) => deliveries.claim(endpointId, clock.now(), wall, LEASE_MS);

it('each commit hints whose history has new events', async () => {
  const hints: string[] = [];
  const subscription = nats.subscribe(eventsAppendedSubject('*'), { callback: (_, { subject }) => void hints.push(subject) });
  const organizationId = newSid();
  await roomsCreated(organizationId, 2);
  await eventually(() => expect(hints).toEqual([1, 2].map(() => eventsAppendedSubject(organizationId))));
  subscription.unsubscribe();
});

it('events and deliveries are kept for 30 days, and sequence numbers are not used again', async () => {
  const organizationId = newSid();
  const endpointId = await newEndpoint(organizationId);
  await roomsCreated(organizationId, 3);
  clock.ahead = 20 * DAY;
  await roomsCreated(organizationId, 2);
  const sweep = new WebhookSweep(history, deliveries, endpoints, clock);
  clock.ahead = 30 * DAY - 60_000;
  await sweep.run();
  expect(await history.page(organizationId, 0, undefined, 10)).toMatchObject({
    events: { length: 5 },
    earliestSequence: 1,
    lastSequence: 5,
  });
  clock.ahead = 30 * DAY + 60_000;
  await sweep.run();
  expect(await history.page(organizationId, 0, undefined, 10)).toMatchObject({
    events: [{ sequence: 4 }, { sequence: 5 }],
    earliestSequence: 4,
    lastSequence: 5,
  });
  expect(await deliveryList.page(endpointId, undefined, undefined, 10)).toHaveLength(2);
  clock.ahead = 60 * DAY;
  await sweep.run();
  await roomsCreated(organizationId, 1);
  expect(await history.page(organizationId, 0, undefined, 10)).toMatchObject({ events: [{ sequence: 6 }], earliestSequence: 6 });
});

it('a deleted endpoint is removed with its deliveries', async () => {
  const organizationId = newSid();
  const [endpointId, other] = [await newEndpoint(organizationId), await newEndpoint(organizationId)];
  await roomsCreated(organizationId, 2);
  await database.transaction((tx) => endpoints.markDeleted(tx, endpointId, new Date()));
  expect(await claim(endpointId)).toBeUndefined();
  await new WebhookSweep(history, deliveries, endpoints, clock).run();
  const left = await dataSource.manager.findBy(WebhookEndpointEntity, { organizationId });
  expect(left.map((one) => one.endpointId)).toEqual([other]);
  expect(await deliveryList.page(endpointId, undefined, undefined, 10)).toEqual([]);
  expect(await deliveryList.page(other, undefined, undefined, 10)).toHaveLength(2);
});

it('an attempt belongs to one worker until its lease expires, and that worker writes nothing afterwards', async () => {
  const organizationId = newSid();
  const endpointId = await newEndpoint(organizationId);
  await roomsCreated(organizationId, 1);
  const claims = await Promise.all(Array.from({ length: 8 }, () => claim(endpointId)));
  const [first] = claims.filter((it) => it !== undefined);
  expect(claims.filter((it) => it !== undefined)).toHaveLength(1);
  const second = await claim(endpointId, new Date(Date.now() + LEASE_MS + 1));
  expect(second).toMatchObject({ deliveryId: first?.deliveryId, attempts: 2 });
  const attempt = { dueAt: null, attemptedAt: new Date(), statusCode: 200, durationMs: 1, responseBody: null };
  const settle = (one: ClaimedDelivery | undefined, outcome: Pick<Outcome, 'status' | 'error'>) =>
    database.transaction((tx) => deliveries.settle(tx, one as ClaimedDelivery, { ...attempt, ...outcome }));
  expect(await settle(second, { status: 'delivered', error: null })).toBe(true);
  expect(await settle(first, { status: 'failed', error: 'timeout' })).toBe(false);
  expect(await deliveryList.page(endpointId, 'delivered', undefined, 10)).toHaveLength(1);
});

it('an old event is not sent to an endpoint that was created after it', async () => {
  const organizationId = newSid();
  const endpointId = await newEndpoint(organizationId);
  const sid = newSid();
  const data = { organizationId, sid, roomId: 'r', title: 'T', createdAt: new Date().toISOString(), autoRecord: false };
  await recordFact({ ...envelopeOf(roomCreated, sid, data), time: new Date(Date.now() - DAY).toISOString() });
  expect(await history.page(organizationId, 0, undefined, 10)).toMatchObject({ events: { length: 1 } });
  expect(await deliveryList.page(endpointId, undefined, undefined, 10)).toEqual([]);
});

const newOrganizationWithHook = (organizationId: string, joinHookSecret: string) => {
  const now = new Date();
  const school = { organizationId, name: 'School', verifiedDomains: [], joinHookSecret, createdAt: now, updatedAt: now };
  return dataSource.manager.insert(OrganizationEntity, school);
};

it('secrets are sealed again while WEBHOOK_KEY_SECRET is changed, so that the old one can be removed', async () => {
  const endpointId = `we_${newSid()}`;
  const { secret, sealed } = new SigningSecrets(secretsOf(OLD)).create(endpointId);
  await newEndpoint(newSid(), { endpointId, secret: sealed });
  const config = secretsOf(NEW, OLD);
  const organizationId = `org_${newSid()}`;
  await newOrganizationWithHook(organizationId, new SigningSecrets(secretsOf(OLD)).create(organizationId).sealed);
  const reseal = new ResealSecrets(config, endpoints, new OrganizationsRepository(database), new SigningSecrets(config));
  await reseal.ofEndpoints.run();
  await reseal.ofJoinHooks.run();
  const endpoint = await dataSource.manager.findOneByOrFail(WebhookEndpointEntity, { endpointId });
  expect(new SigningSecrets(secretsOf(NEW)).open(endpointId, endpoint.secret)).toBe(secret);
  const { joinHookSecret } = await dataSource.manager.findOneByOrFail(OrganizationEntity, { organizationId });
  expect(new SigningSecrets(secretsOf(NEW)).open(organizationId, joinHookSecret ?? '')).toMatch(/^whsec_/);
});

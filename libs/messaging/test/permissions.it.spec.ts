import { connect, PermissionViolationError, type NatsConnection } from '@nats-io/transport-node';
import * as contracts from '@classroom/contracts';
import {
  CONSUMERS,
  healthRpc,
  OPTIONAL_CONSUMERS,
  STREAMS,
  type AppName,
  type EventContract,
  type RpcContract,
  type ServiceName,
} from '@classroom/contracts';
import { eventually, TestStack } from '@classroom/testing';
import { applyStreams } from '../src/streams/apply-streams.js';

const SERVICES: ServiceName[] = ['organization', 'room', 'recording', 'recorder', 'billing', 'ai', 'media'];
const APPS: AppName[] = ['gateway', ...SERVICES];

const members = Object.values(contracts as Record<string, unknown>).flatMap((it) =>
  it !== null && typeof it === 'object' ? [it as object, ...(Object.values(it) as object[])] : [],
);
const has = <T>(field: string) => members.filter((it) => it !== null && typeof it === 'object' && field in it) as T[];
const RPCS = [...has<RpcContract>('callers'), ...SERVICES.map(healthRpc)];
const EVENTS = has<EventContract>('watchers');

/** What an app may do so that operators replay dead letters with it. */
const REPLAYED = Object.values({ ...CONSUMERS, ...OPTIONAL_CONSUMERS }).flatMap(({ filterSubjects }): string[] => filterSubjects);
const OF_DEAD_LETTERS = ['$JS.API.STREAM.MSG.GET.DLQ', '$JS.API.STREAM.MSG.DELETE.DLQ'];
const isReplayed = (subject: string) => REPLAYED.some((filter) => subject.startsWith(filter.replace('>', '')));

/** Subjects that no app may publish, but for what `OF_DEAD_LETTERS` names, and the reason why an attacker would. */
const FORBIDDEN_TO_ALL = [
  // Streams: created, changed, emptied, deleted, copied.
  ...Object.keys(STREAMS).flatMap((stream) =>
    ['CREATE', 'UPDATE', 'PURGE', 'DELETE', 'MSG.DELETE', 'SNAPSHOT', 'RESTORE'].map((verb) => `$JS.API.STREAM.${verb}.${stream}`),
  ),
  // A consumer of one's own reads everything.
  '$JS.API.CONSUMER.CREATE.EVENTS.spy',
  '$JS.API.CONSUMER.DURABLE.CREATE.EVENTS.spy',
  '$JS.API.CONSUMER.DELETE.EVENTS.billing-fold',
  '$JS.API.STREAM.MSG.GET.DLQ',
  contracts.CLOCK_SUBJECT,
  contracts.SANDBOX_EVENT_SUBJECT,
  '$SYS.REQ.SERVER.PING',
];

describe('a service of NATS', () => {
  let stack: TestStack;
  const connections: NatsConnection[] = [];

  beforeAll(async () => {
    stack = await TestStack.parts(['nats'], { expectViolations: true });
    const operator = await connect(stack.nats);
    await applyStreams(operator);
    await operator.close();
  });
  afterAll(async () => {
    for (const connection of connections) await connection.close();
    await stack?.stop();
  });

  /** The subjects that the app's user may not publish, or not subscribe to, of those that it tries. */
  async function refusals(app: AppName, attempts: { publish?: string[]; subscribe?: string[] }) {
    const { servers } = stack.nats;
    const passwords = stack.secrets['natsPasswords'] as unknown as Record<string, string>;
    const connection = await connect({ servers, user: app, pass: passwords[app] ?? '' });
    connections.push(connection);
    const refused = { publish: new Set<string>(), subscribe: new Set<string>() };
    const followed = (async () => {
      for await (const status of connection.status()) {
        if (status.type !== 'error' || !(status.error instanceof PermissionViolationError)) continue;
        refused[status.error.operation === 'publish' ? 'publish' : 'subscribe'].add(status.error.subject);
      }
    })();
    for (const subject of attempts.subscribe ?? []) connection.subscribe(subject, { callback: () => undefined });
    for (const subject of attempts.publish ?? []) connection.publish(subject, '{}');
    await connection.flush();
    await connection.flush();
    await connection.close();
    await followed;
    return { publish: [...refused.publish].sort(), subscribe: [...refused.subscribe].sort() };
  }

  it.each(APPS)('%s calls the operations that name it, and no others', async (app) => {
    const subjects = [...new Set(RPCS.map(({ subject }) => subject))];
    const allowed = new Set(RPCS.filter(({ callers }) => callers.includes(app)).map(({ subject }) => subject));
    const { publish } = await refusals(app, { publish: subjects });
    expect(publish).toEqual(subjects.filter((subject) => !allowed.has(subject)).sort());
  });

  it.each(APPS)('%s publishes its own facts, and no others, unless operators replay them with it', async (app) => {
    const subjects = EVENTS.map(({ subjectPrefix }) => `${subjectPrefix}.p00`);
    const { publish } = await refusals(app, { publish: subjects });
    expect(publish).toEqual(
      EVENTS.filter(({ service }) => service !== app)
        .map(({ subjectPrefix }) => `${subjectPrefix}.p00`)
        .filter((subject) => app !== 'organization' || !isReplayed(subject))
        .sort(),
    );
  });

  it('lets one app read, delete and replay dead letters, without subjects that no consumer reads', async () => {
    const unread = EVENTS.map(({ subjectPrefix }) => `${subjectPrefix}.p00`).filter((subject) => !isReplayed(subject));
    const foreign = EVENTS.filter(({ service }) => service !== 'organization').map(({ subjectPrefix }) => `${subjectPrefix}.p00`);
    const attempts = [...OF_DEAD_LETTERS, ...foreign, 'livekit.room.finished.p00', 'livekit.unknown.p00', 'dlq.EVENTS.billing-fold'];
    const refused = [...foreign.filter((subject) => unread.includes(subject)), 'livekit.unknown.p00', 'dlq.EVENTS.billing-fold'].sort();
    expect(refused.length).toBeGreaterThan(2);
    expect((await refusals('organization', { publish: attempts })).publish).toEqual(refused);
  });

  it.each(APPS)('%s receives neither calls, nor replies, nor facts of others', async (app) => {
    const others = APPS.filter((other) => other !== app);
    const subscribe = [
      '>',
      'evt.>',
      'livekit.>',
      'rpc.>',
      'dlq.>',
      // The gateway reads text streams at `_INBOX.*`, with which NATS allows `_INBOX.>`, too.
      ...(app === 'gateway' ? [] : ['_INBOX.>']),
      '$JS.>',
      '$SYS.>',
      ...others.flatMap((other) => [
        `rpc.${other}.>`,
        `rpc.${other}.health.check.v1`,
        `_INBOX.${other}.>`,
        `_INBOX.${other}.*`,
        `_STREAM.${other}.>`,
      ]),
    ];
    expect((await refusals(app, { subscribe })).subscribe).toEqual([...subscribe].sort());
  });

  it.each(APPS)('%s changes no stream and reads no consumer of others', async (app) => {
    const consumers = Object.values(CONSUMERS).filter(({ service }) => service !== app);
    const publish = [
      ...FORBIDDEN_TO_ALL.filter((subject) => app !== 'organization' || !OF_DEAD_LETTERS.includes(subject)),
      ...consumers.flatMap(({ stream, durable }) => [
        `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
        `$JS.ACK.${stream}.${durable}.1.1.1.1.0`,
        `dlq.${stream}.${durable}`,
      ]),
      ...(app === 'gateway' || app === 'organization' ? [] : ['livekit.room.finished.p00']),
      ...(consumers.length === Object.keys(CONSUMERS).length ? ['$JS.API.STREAM.MSG.GET.EVENTS'] : []),
    ];
    expect((await refusals(app, { publish })).publish).toEqual([...publish].sort());
  });

  it('is refused with the password of another', async () => {
    const passwords = stack.secrets['natsPasswords'] as unknown as Record<string, string>;
    const { servers } = stack.nats;
    await expect(connect({ servers, user: 'billing', pass: passwords['media'] ?? '', reconnect: false })).rejects.toThrow(/authorization/i);
  });

  it('replies once to a request that it received, and cannot reply to others', async () => {
    const { servers } = stack.nats;
    const passwords = stack.secrets['natsPasswords'] as unknown as Record<string, string>;
    const log = (app: string) => connect({ servers, user: app, pass: passwords[app] ?? '', inboxPrefix: `_INBOX.${app}` });
    const [gateway, media] = await Promise.all([log('gateway'), log('media')]);
    connections.push(gateway, media);
    media.subscribe('rpc.media.health.check.v1', { callback: (_, message) => void message.respond('fine') });
    await media.flush();
    expect((await gateway.request('rpc.media.health.check.v1')).string()).toBe('fine');
    let forged = 0;
    gateway.subscribe('_INBOX.gateway.guessed', { callback: () => void (forged += 1) });
    await gateway.flush();
    media.publish('_INBOX.gateway.guessed', 'forged');
    await media.flush();
    await eventually(async () => gateway.flush());
    expect(forged).toBe(0);
  });
});

import {
  apiKeyChanged,
  AppError,
  eventsAppendedSubject,
  invalidField,
  listEvents,
  streamEvents,
  type Organization,
  type PublicEvent,
  type RpcOutput,
} from '@classroom/contracts';
import { eventually, EventStream } from '@classroom/testing';
import { GatewayFixture, valueOf } from './support/gateway-fixture.js';

const PER_ORGANIZATION = 3;
const TOTAL = 5;
const PAGE_SIZE = 100;

/** The histories of organizations, as the organization service answers about them. */
class Histories {
  /** The sequence of the earliest event that is kept. */
  earliest = 1;
  isUnreachable = false;
  /** Requests for pages, those before a stream begins not counted. */
  reads = 0;
  private readonly events = new Map<string, PublicEvent[]>();

  constructor(private readonly gateway: GatewayFixture) {}

  /** Stores events, and hints so unless the hint is lost. */
  /** As a restore of the database from a backup. */
  restore({ organizationId }: Organization, last: number): void {
    this.events.get(organizationId)?.splice(last);
  }

  append({ organizationId }: Organization, count: number, { type = 'room.created', isHinted = true, text = '' } = {}): void {
    const events = this.events.get(organizationId) ?? [];
    this.events.set(organizationId, events);
    for (let n = 0; n < count; n++) {
      const sequence = events.length + 1;
      const event = { id: `evt_${sequence}`, type, timestamp: '2026-01-15T09:00:00.000Z', sequence, data: { text } };
      events.push(event as unknown as PublicEvent);
    }
    if (isHinted) this.gateway.nats.publish(eventsAppendedSubject(organizationId));
  }

  serve(): void {
    this.gateway.answer(listEvents, ({ organizationId, after, types, limit, mayBeAhead }): RpcOutput<typeof listEvents> => {
      if (this.isUnreachable) throw new AppError('SERVICE_UNAVAILABLE');
      if (limit === PAGE_SIZE) this.reads += 1;
      const all = this.events.get(organizationId) ?? [];
      const lastSequence = all.length;
      if (after > lastSequence && !mayBeAhead) throw invalidField('after', 'is after the end');
      const kept = all.filter(({ sequence }) => sequence >= this.earliest);
      const wanted = kept.filter(({ sequence, type }) => sequence > after && (!types || types.includes(type)));
      const events = wanted.slice(0, limit);
      const hasMore = wanted.length > limit;
      const nextCursor = String(hasMore ? (events.at(-1)?.sequence ?? after) : lastSequence);
      return { events, nextCursor, hasMore, earliestSequence: kept[0]?.sequence ?? null, lastSequence };
    });
  }
}

const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, n) => first + n);

describe('a stream of events', () => {
  let gateway: GatewayFixture;
  let histories: Histories;
  let school: Organization;
  const opened: EventStream[] = [];

  beforeAll(async () => {
    const env = { gateway: { ORGANIZATION_EVENT_STREAMS: String(PER_ORGANIZATION), EVENT_STREAMS: String(TOTAL) } };
    gateway = await GatewayFixture.start({ env });
  });
  beforeEach(async () => {
    await gateway.reset();
    histories = new Histories(gateway);
    histories.serve();
    school = gateway.organization();
  });
  afterEach(() => {
    for (const stream of opened.splice(0)) stream.close();
  });
  afterAll(() => gateway?.stop());

  async function openWith(headers: Record<string, string>, query = ''): Promise<EventStream> {
    const stream = await EventStream.open(`${gateway.stack.urls.gateway}${streamEvents.path}${query}`, headers);
    opened.push(stream);
    return stream;
  }
  const open = (query = '', headers: Record<string, string> = {}, { organizationId } = school) =>
    openWith({ 'vf-org-id': valueOf(organizationId), ...headers }, query);

  const idsOf = (stream: EventStream, ids: number[]) => eventually(() => expect(stream.ids).toEqual(ids));

  it('begins with now, or after the last event that the client has, and has every event once and in order', async () => {
    histories.append(school, 250);
    const [live, whole, rest] = [await open(), await open('?after=0'), await open('?after=3', { 'last-event-id': '240' })];
    expect([live.status, live.header('content-type'), live.header('x-accel-buffering')]).toEqual([200, 'text/event-stream', 'no']);
    await eventually(() => expect(live.blocks).toEqual([{ retry: '1000', id: '250' }]));
    for (const _ of upTo(5)) histories.append(school, 1);
    await Promise.all([idsOf(live, upTo(255, 251)), idsOf(whole, upTo(255)), idsOf(rest, upTo(255, 241))]);
    const { id, event, data = '' } = live.blocks[1] ?? {};
    expect([id, event, JSON.parse(data)]).toEqual(['251', 'room.created', expect.objectContaining({ id: 'evt_251', sequence: 251 })]);
  });

  it('has the types that were asked for', async () => {
    const stream = await open('?types=room.finished');
    histories.append(school, 2);
    histories.append(school, 1, { type: 'room.finished' });
    histories.append(school, 4);
    await idsOf(stream, [3]);
  });

  it('says which events have expired', async () => {
    histories.append(school, 10);
    histories.earliest = 9;
    const stream = await open('', { 'last-event-id': '4' });
    await idsOf(stream, [8, 9, 10]);
    expect(stream.blocks[1]).toEqual({ id: '8', event: 'gap', data: '{"from":5,"to":8}' });
    histories.earliest = 11;
    const later = await open('?after=7');
    await idsOf(later, [10]);
    expect(later.blocks[1]).toMatchObject({ event: 'gap', data: '{"from":8,"to":10}' });
  });

  it('says that its client may have missed everything if the history ends before the client’s position, as after a restore', async () => {
    histories.append(school, 12);
    const live = await open('?after=10');
    await idsOf(live, [11, 12]);
    histories.restore(school, 4);
    const [ahead, empty] = [await open('', { 'last-event-id': '12' }), await open('?after=9', {}, gateway.organization())];
    histories.append(school, 2);
    await Promise.all([idsOf(live, [11, 12, 6]), idsOf(ahead, [4, 5, 6]), idsOf(empty, [0])]);
    expect(live.blocks.at(-1)).toEqual({ id: '6', event: 'gap', data: '{"from":1,"to":6}' });
    expect(ahead.blocks[1]).toEqual({ id: '4', event: 'gap', data: '{"from":1,"to":4}' });
    expect(empty.blocks[1]).toEqual({ id: '0', event: 'gap', data: '{"from":1,"to":0}' });
    histories.append(school, 1);
    await Promise.all([idsOf(live, [11, 12, 6, 7]), idsOf(ahead, [4, 5, 6, 7])]);
  });

  it('reads again by itself after a lost hint, stays open while the service is unreachable, and sends heartbeats', async () => {
    const [stream, silent] = [await open(), await open('?types=room.finished')];
    histories.append(school, 1, { isHinted: false });
    await idsOf(stream, [1]);
    histories.isUnreachable = true;
    histories.append(school, 1);
    expect((await open()).status).toBe(503);
    histories.isUnreachable = false;
    await idsOf(stream, [1, 2]);
    // Its id is beyond the events of other types.
    await eventually(() => expect(silent.blocks.slice(1)).toEqual([{ '': 'heartbeat', id: '2' }]));
  });

  it('refuses an id that is none', async () => {
    for (const id of ['-1', 'evt_3', '1'.repeat(16)]) expect((await open('', { 'last-event-id': id })).status).toBe(400);
    expect((await open('?after=now')).status).toBe(400);
  });

  it('reads no more than a slow client takes', async () => {
    // 24 MB in 60 pages.
    histories.append(school, 60 * PAGE_SIZE, { text: 'x'.repeat(4_000) });
    const slow = await open('?after=0');
    slow.pause();
    const fast = await open('?after=0');
    await idsOf(fast, upTo(60 * PAGE_SIZE));
    // The sockets hold up to 10 MB.
    expect(histories.reads).toBeLessThan(60 + 40);
    slow.resume();
    await idsOf(slow, upTo(60 * PAGE_SIZE));
  });

  it('is one of few of its organization and of the gateway, until it is closed', async () => {
    const streams = await Promise.all(Array.from({ length: PER_ORGANIZATION }, () => open()));
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
    const refused = await open();
    expect([refused.status, refused.header('retry-after')]).toEqual([429, '5']);
    const neighbour = gateway.organization();
    const theirs = await Promise.all(Array.from({ length: TOTAL - PER_ORGANIZATION }, () => open('', {}, neighbour)));
    expect(theirs.map(({ status }) => status)).toEqual(theirs.map(() => 200));
    expect((await open('', {}, neighbour)).status).toBe(503);
    streams[0]?.close();
    await eventually(async () => expect((await open('', {}, neighbour)).status).toBe(200));
  });

  describe('needs its scope', () => {
    const openWithKey = (key: string) => openWith({ authorization: `Bearer ${key}` });

    it('when it begins', async () => {
      const { key } = gateway.apiKey({ organizationId: school.organizationId, scopes: ['rooms:read'] });
      expect((await openWithKey(key)).status).toBe(403);
    });

    it('and its key until it ends', async () => {
      const { key, prefix } = gateway.apiKey({ organizationId: school.organizationId, scopes: ['events:read'] });
      const stream = await openWithKey(key);
      histories.append(school, 1);
      await idsOf(stream, [1]);
      gateway.revoke(prefix);
      gateway.nats.publish(`${apiKeyChanged.subjectPrefix}.p00`, JSON.stringify({ subject: prefix }));
      await eventually(() => expect(stream.isEnded).toBe(true));
      histories.append(school, 1);
      expect((await openWithKey(key)).status).toBe(401);
      expect(stream.ids).toEqual([1]);
    });
  });

  it('ends in an orderly way when its gateway stops, also for a client that does not read', async () => {
    histories.append(school, 20 * PAGE_SIZE, { text: 'x'.repeat(4_000) });
    const stuck = await open('?after=0');
    stuck.pause();
    const stream = await open();
    await gateway.stack.app('gateway').restart();
    await eventually(() => expect([stream.isEnded, stream.isBroken]).toEqual([true, false]));
    stuck.resume();
    await eventually(() => expect(stuck.isBroken || stuck.isEnded).toBe(true));
  });
});

import { randomUUID } from 'node:crypto';
import { jetstream } from '@nats-io/jetstream';
import { connect, headers, type NatsConnection } from '@nats-io/transport-node';
import {
  CONSUMERS,
  createOrganization,
  discardDeadLetter,
  eventSubject,
  getDeadLetter,
  listDeadLetters,
  listEvents,
  OPERATORS_LOG,
  replayDeadLetter,
  roomCreated,
  type RpcContract,
  type RpcOutput,
  type RpcRequest,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { inOrganization } from '@classroom/platform';
import { envelopeOf, eventually, setAside, TestStack } from '@classroom/testing';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

jest.setTimeout(120_000);

/** Dead letters, as the organization service reads and replays them with its own user of NATS. */
describe('the dead letters that operators see', () => {
  let stack: TestStack;
  let nats: NatsConnection;
  let rpc: RpcClient;
  let organizationId: string;

  beforeAll(async () => {
    // One letter has a subject that no stream takes and the service may not publish.
    stack = await TestStack.start({ parts: ['postgres', 'nats', 'redis', 's3'], apps: ['organization'], expectViolations: true });
    nats = await connect({ ...stack.nats, maxReconnectAttempts: -1 });
    rpc = new RpcClient(nats);
    organizationId = (await call(createOrganization, { name: 'School' })).id as string;
  });
  afterAll(async () => {
    await nats?.close();
    await stack?.stop();
  });
  afterEach(async () => {
    for (const { deadLetterId } of await all()) await call(discardDeadLetter, { deadLetterId });
  });

  const call = <C extends RpcContract>(contract: C, input: RpcRequest<C>): Promise<RpcOutput<C>> => rpc.call(contract, input, 20_000);
  const all = async () => (await call(listDeadLetters, { limit: 100 })).deadLetters;
  /** Stores a fact about a new room as one that the service gave up. */
  const giveUp = async () => {
    const sid = `RM_${randomUUID().replaceAll('-', '')}`;
    const data = { organizationId, sid, roomId: 'geometry', title: 'Ada’s lesson', createdAt: new Date().toISOString(), autoRecord: false };
    const subject = eventSubject(roomCreated, sid);
    await setAside(stack, CONSUMERS.organizationFacts, JSON.stringify(envelopeOf(roomCreated, sid, data)), {
      'original-subject': subject,
      'original-sequence': '4711',
      reason: 'duplicate key',
      attempts: '8',
    });
    const [{ deadLetterId } = { deadLetterId: '' }] = await all();
    return { deadLetterId, sid, subject };
  };
  const eventsOf = async (sid: string) =>
    (await call(listEvents, { organizationId, after: 0, limit: 100 })).events.filter(({ data }) => (data as { sid?: string }).sid === sid);

  it('are what a consumer gave up, with the reason and the trace', async () => {
    const sent = headers();
    sent.set('traceparent', `00-${TRACE}-00f067aa0ba902b7-01`);
    const { seq } = await jetstream(nats).publish('evt.room.room.created.v1.p00', 'no JSON', { headers: sent });
    await eventually(async () =>
      expect(await all()).toEqual([
        {
          deadLetterId: expect.stringMatching(/^dl_\d{12}$/) as unknown,
          consumer: 'organization-facts',
          subject: 'evt.room.room.created.v1.p00',
          originalSequence: seq,
          type: null,
          messageId: null,
          organizationId: null,
          roomId: null,
          sid: null,
          error: 'not a JSON object',
          attempts: 1,
          traceId: TRACE,
          bytes: 7,
          setAsideAt: expect.any(String) as unknown,
        },
      ]),
    );
  });

  it('have the ids of the message, and nothing else of its content', async () => {
    const { deadLetterId, sid, subject } = await giveUp();
    const shown = await call(getDeadLetter, { deadLetterId });
    const ids = { organizationId, roomId: 'geometry', sid, type: roomCreated.type };
    expect(shown).toMatchObject({ subject, error: 'duplicate key', attempts: 8, ...ids });
    expect(JSON.stringify([shown, await all()])).not.toContain('Ada');
    const webhook = { id: 'EV_1', event: 'participant_joined', room: { name: sid }, participant: { identity: 'ada', name: 'Ada' } };
    await setAside(stack, CONSUMERS.roomPresence, JSON.stringify(webhook));
    const [latest] = await all();
    expect(latest).toMatchObject({
      consumer: 'room-presence',
      messageId: 'EV_1',
      type: 'participant_joined',
      sid,
      subject: '',
      attempts: null,
    });
    expect(JSON.stringify(latest)).not.toMatch(/ada/i);
  });

  it('are listed newest first, page by page, without those that are gone', async () => {
    const letters = [await giveUp(), await giveUp(), await giveUp(), await giveUp()];
    await call(discardDeadLetter, { deadLetterId: letters[2]?.deadLetterId ?? '' });
    const first = await call(listDeadLetters, { limit: 2 });
    expect(first).toMatchObject({ deadLetters: [{ sid: letters[3]?.sid }, { sid: letters[1]?.sid }], pagination: { hasMore: true } });
    const second = await call(listDeadLetters, { limit: 2, cursor: first.pagination.nextCursor ?? '' });
    expect(second).toMatchObject({ deadLetters: [{ sid: letters[0]?.sid }], pagination: { hasMore: false, nextCursor: null } });
    await expect(call(listDeadLetters, { limit: 2, cursor: 'forged' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('reach their consumer again when they are replayed, and are gone then', async () => {
    const { deadLetterId, sid } = await giveUp();
    expect(await eventsOf(sid)).toEqual([]);
    expect(await call(replayDeadLetter, { deadLetterId })).toMatchObject({ deadLetterId, sid });
    await eventually(async () => expect(await eventsOf(sid)).toMatchObject([{ type: 'room.created' }]));
    expect(await all()).toEqual([]);
    for (const operation of [replayDeadLetter, discardDeadLetter, getDeadLetter])
      await expect(call(operation, { deadLetterId })).rejects.toMatchObject({ code: 'DEAD_LETTER_NOT_FOUND' });
  });

  it('are deleted without an effect when they are discarded, which the audit log describes', async () => {
    const { deadLetterId, sid, subject } = await giveUp();
    const entryId = randomUUID();
    await inOrganization(
      undefined,
      () => call(discardDeadLetter, { deadLetterId }),
      undefined,
      () => entryId,
    );
    expect(await all()).toEqual([]);
    expect(await eventsOf(sid)).toEqual([]);
    const changes = await stack.rows('SELECT organization_id AS log, change FROM organization.audit_changes WHERE entry_id = $1', [
      entryId,
    ]);
    const before = { consumer: 'organization-facts', subject, organizationId, messageId: expect.any(String) as unknown };
    expect(changes).toEqual([{ log: OPERATORS_LOG, change: { kind: 'dead-letter', id: deadLetterId, before, after: null } }]);
  });

  it('stay if their message cannot be published', async () => {
    await setAside(stack, CONSUMERS.roomPresence, '{}', { 'original-subject': 'livekit.unknown.p00' });
    const [{ deadLetterId } = { deadLetterId: '' }] = await all();
    await expect(call(replayDeadLetter, { deadLetterId })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await all()).toHaveLength(1);
  });
});

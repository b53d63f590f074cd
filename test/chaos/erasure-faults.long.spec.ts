import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CONSUMERS, participantConnection, roomFinished } from '@classroom/contracts';
import {
  eventually,
  expectLedgerInvariants,
  inLongForm,
  meterOf,
  newOrganization,
  newRoom,
  present,
  RtcParticipant,
  sessionsOf,
  setAside,
  storedFacts,
  storedMessages,
  TestStack,
  type ApiClient,
} from '@classroom/testing';
import { storesWith } from './erasure-stores.js';

const run = promisify(execFile);
const HOUR_MS = 3_600_000;
const SERVICES = ['ai', 'billing', 'recording', 'room'];
/**
 * In the uid, which logs may contain, and in what the pupil is called and writes, which they may not. They have hyphens, so that they are in
 * no random id.
 */
const [MARK, WORD] = ['zq-9-mark', 'zq-9-mark-word'];
const PUPIL = { uid: `${MARK}-pupil`, name: `Ada ${WORD}`, role: 'STUDENT' };

/** Kills each service in the middle of an erasure, and keeps one stopped for an hour. */
describe('an erasure under faults', () => {
  let stack: TestStack;

  beforeAll(async () => {
    stack = await TestStack.start({ apps: ['organization', 'room', 'billing', 'ai', 'recording', 'gateway'] });
  });
  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await stack?.stop();
  });
  afterEach(() => expectLedgerInvariants(stack));

  /** A past class of the pupil, whose charge is final. */
  async function heldClass(): Promise<ApiClient> {
    const { api, value } = await newOrganization(stack);
    const { roomId, sid } = await newRoom(api);
    const { token } = (await api.post(`/v1/room/${roomId}/join`, { participant: PUPIL })).body.data;
    const session = (await api.bearer(token).post('/v1/classroom/session')).body.data;
    const pupil = await RtcParticipant.connect(stack.urls.livekitPublic, session.livekitToken);
    await api.bearer(session.classroomToken).post('/v1/classroom/chat', { text: `I am ${WORD}` });
    await api.post('/v1/ai-tutor/chat', { roomId, studentUid: PUPIL.uid, organizationId: value, text: `Who is ${WORD}?` });
    await eventually(async () => expect(await sessionsOf(stack, sid)).toHaveLength(1));
    await api.delete(`/v1/room/${roomId}`);
    await pupil.leave();
    await eventually(async () => expect(await meterOf(stack, sid)).toMatchObject({ isSettled: true }));
    return api;
  }

  const request = async (api: ApiClient) => {
    const { erasureId } = (await api.post('/v1/privacy/erasures', { uid: PUPIL.uid })).body.data;
    return async () => (await api.get(`/v1/privacy/erasures/${erasureId}`)).body.data;
  };

  const ERASED = {
    'ai: AI dialogues': 1,
    'billing: sessions': 1,
    'room: chat messages': 1,
    'room: connection addresses': 1,
    'room: participants': 1,
  };
  const expectReceipt = async (
    answer: () => Promise<{ status: string; receipt: { stores: { service: string; store: string; count: number }[] } | null }>,
  ) => {
    await eventually(async () => expect((await answer()).status).toBe('COMPLETED'));
    const { stores } = present((await answer()).receipt);
    expect(Object.fromEntries(stores.map(({ service, store, count }) => [`${service}: ${store}`, count]))).toMatchObject(ERASED);
    const left = await stack.rows(
      `SELECT 'chat' FROM room.chat_messages WHERE text LIKE '%${MARK}%' UNION ALL SELECT 'people' FROM room.participants WHERE uid LIKE '${MARK}%'
       UNION ALL SELECT 'sessions' FROM billing.sessions_by_month WHERE uid LIKE '${MARK}%' UNION ALL SELECT 'turns' FROM ai.turns WHERE question LIKE '%${MARK}%'`,
    );
    expect(left).toEqual([]);
  };

  it('completes with the counts of what was erased although every service is killed before its commit', async () => {
    const api = await heldClass();
    for (const service of SERVICES) {
      await stack.app(service).stop();
      stack.app(service).launch({ FAILPOINTS: 'erasure.before-commit=crash' });
    }
    const answer = await request(api);
    // The others are asked when the room service has erased.
    for (const service of SERVICES.toSorted((a, b) => Number(b === 'room') - Number(a === 'room'))) {
      expect([service, (await stack.app(service).exited).signal]).toEqual([service, 'SIGKILL']);
      const waitingFor: unknown = expect.arrayContaining([service, 'organization']);
      expect(await answer()).toMatchObject({ status: 'RUNNING', waitingFor, receipt: null });
      await stack.app(service).start();
    }
    await expectReceipt(answer);
  });

  inLongForm(it)('waits for a service that is down for an hour, and says so', async () => {
    const api = await heldClass();
    await stack.app('ai').stop();
    const answer = await request(api);
    const waiting = { status: 'RUNNING', waitingFor: ['ai', 'organization'], receipt: null, signature: null };
    await eventually(async () => expect(await answer()).toMatchObject(waiting));
    await stack.moveClock(HOUR_MS);
    await eventually(async () => expect(await answer()).toMatchObject(waiting));
    await stack.app('ai').start();
    await expectReceipt(answer);
  });

  it('leaves nothing in Redis and the bucket; names and words were never in logs and traces', async () => {
    const api = await heldClass();
    await expectReceipt(await request(api));
    expect(await storesWith(stack, WORD, { inFiles: true })).toEqual([]);
    expect(await storesWith(stack, MARK, { inFiles: false })).toEqual([]);
  });

  inLongForm(it)('leaves its facts in the stream until an operator deletes them there, which no charge depends on', async () => {
    await expectReceipt(await request(await heldClass()));
    const factsOf = async (uid: string) => (await storedFacts(stack, participantConnection)).filter(({ data }) => data.uid === uid);
    const [before, finished] = [await factsOf(PUPIL.uid), await storedFacts(stack, roomFinished)];
    expect(before.length).toBeGreaterThan(0);
    const url = new URL(stack.urls.postgresAdmin);
    url.username = 'classroom_organization';
    url.password = stack.secrets['databasePasswords']?.['organization' as never] ?? '';
    const command = join(__dirname, '..', '..', 'apps', 'organization', 'dist', 'erase-messages.js');
    const erase = () => run(process.execPath, [command], { env: { ...process.env, DATABASE_URL: url.href, NATS_URL: stack.urls.nats } });
    const letter = (await storedMessages(stack, 'EVENTS')).find((text) => text.includes(MARK)) ?? '';
    for (const body of [letter, 'no JSON']) await setAside(stack, CONSUMERS.organizationFacts, body);
    await eventually(async () => expect((await erase()).stdout).toContain(' 0 not yet acknowledged'));
    expect((await erase()).stdout).toContain('1 dead letters are about erased subjects');
    expect(await factsOf(PUPIL.uid)).toEqual([]);
    for (const stream of ['EVENTS', 'LIVEKIT'] as const)
      expect((await storedMessages(stack, stream)).filter((text) => text.includes(MARK))).toEqual([]);
    expect((await storedFacts(stack, roomFinished)).map(({ id }) => id)).toEqual(finished.map(({ id }) => id));
  });
});

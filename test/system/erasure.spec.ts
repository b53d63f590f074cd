import { createHash, createPublicKey, verify } from 'node:crypto';
import {
  adminApi,
  type ApiClient,
  Bucket,
  enterClass,
  eventually,
  expectLedgerInvariants,
  liveKitToken,
  newOrganization,
  newRoom,
  reportMinute,
  RtcParticipant,
  TestStack,
  WebhookReceiver,
} from '@classroom/testing';

const BILLING = { type: 'PREPAID', credits: 1_000, creditRate: 0.01, currency: 'EUR' };
/** In everything that is left of the pupil. It has hyphens, so that it is in no random id. */
const MARK = 'zq-7-mark';
const PUPIL = { uid: `${MARK}-pupil`, name: `Ada ${MARK}`, role: 'STUDENT', photoURL: `https://school.example/${MARK}.png` };
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const SCHEMAS = ['organization', 'room', 'billing', 'ai', 'recording', 'media'];
const FRIEND = { uid: 'friend', name: 'Bob', role: 'STUDENT' };
const TEACHER = { uid: 'zq-8-mark-teacher', name: 'Sofia zq-8-mark', role: 'TEACHER' };
/** Enters with a LiveKit token of the school's own, so that no row but a connection has the name. */
const VISITOR = 'zq-9-mark-visitor';

interface School {
  api: ApiClient;
  value: string;
  organizationId: string;
}

/** Kills and stops processes of its own stack. */
describe('an erasure', () => {
  let stack: TestStack;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    stack = await TestStack.start({
      apps: ['organization', 'room', 'billing', 'ai', 'recording', 'media', 'gateway'],
    });
  });

  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await stack?.stop();
    await receiver?.stop();
  });

  afterEach(() => expectLedgerInvariants(stack));

  async function newSchool(): Promise<School> {
    const { api, value, organizationId } = await newOrganization(stack, { billing: BILLING });
    const { status } = await api.post('/v1/webhook-endpoints', { url: receiver.url('/school') });
    expect(status).toBe(200);
    return { api, value, organizationId };
  }

  /** A live class in which the pupil leaves something everywhere. */
  async function newClass({ api, value }: School): Promise<{ roomId: string; sid: string; end: () => Promise<void> }> {
    const { roomId, sid } = await newRoom(api, { roster: [PUPIL, FRIEND] });
    const teacher = await enterClass(stack, api, roomId, TEACHER);
    const pupil = await enterClass(stack, api, roomId, PUPIL);
    const friend = await enterClass(stack, api, roomId, FRIEND);
    await pupil.post('/v1/classroom/chat', { text: `I am ${MARK}` });
    const { data: said } = (await friend.post('/v1/classroom/chat', { text: 'Hello' })).body;
    const { pollId } = (await teacher.post('/v1/classroom/polls', { question: 'Ready?', options: ['Yes', 'No'] })).body.data;
    await pupil.post(`/v1/classroom/polls/${pollId}/vote`, { option: 1 });
    await friend.post(`/v1/classroom/polls/${pollId}/vote`, { option: 0 });
    await pupil.post('/v1/classroom/hand', { raised: true });
    await teacher.post(`/v1/classroom/participants/${PUPIL.uid}/speak`, { allowed: true });
    await pupil.post(`/v1/classroom/chat/${said.id}/report`);
    await teacher.delete(`/v1/classroom/chat/${said.id}`);
    const question = { roomId, studentUid: PUPIL.uid, organizationId: value, text: `Who is ${MARK}?` };
    expect((await api.post('/v1/ai-tutor/chat', question)).status).toBe(200);
    const { turns } = (await pupil.get('/v1/classroom/tutor')).body.data;
    await pupil.post(`/v1/classroom/tutor/questions/${turns[0].questionId}/ask-teacher`);
    await teacher.post(`/v1/classroom/tutor/questions/${turns[0].questionId}/resolve`);
    await reportMinute(stack, pupil, { sid, uid: PUPIL.uid });
    await eventually(async () => expect((await api.get(`/v1/room/${roomId}/summary`)).body.data.totalCredits).toBeGreaterThan(0));
    const end = async () => {
      await api.delete(`/v1/room/${roomId}`);
      await eventually(async () => {
        const [meter] = await stack.rows<{ settled_at: Date | null }>('SELECT settled_at FROM billing.room_meters WHERE sid = $1', [sid]);
        expect(meter?.settled_at).toBeInstanceOf(Date);
        const { events } = (await api.get('/v1/events?types=attendance.evaluated')).body.data;
        expect(events.map(({ data }: { data: { roomId: string } }) => data.roomId)).toContain(roomId);
      });
    };
    return { roomId, sid, end };
  }

  /** Tables with rows that contain the mark. Published facts stay in the outbox for an hour, as in the streams for their time. */
  async function tablesWithMark(mark = MARK): Promise<string[]> {
    const tables = await stack.rows<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE schemaname = ANY($1) AND tablename <> 'outbox' ORDER BY 1`,
      [SCHEMAS],
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const [row] = await stack.rows<{ count: number }>(`SELECT count(*)::int AS count FROM ${name} t WHERE t::text LIKE '%${mark}%'`);
      if (row?.count) found.push(name);
    }
    return found;
  }

  const erase = async ({ api }: School, subject: object) => (await api.post('/v1/privacy/erasures', subject)).body.data;
  const completed = async ({ api }: School, erasureId: string) => {
    const answer = async () => (await api.get(`/v1/privacy/erasures/${erasureId}`)).body.data;
    await eventually(async () => expect((await answer()).status).toBe('COMPLETED'));
    return answer();
  };
  const countsOf = (receipt: { stores: { service: string; store: string; count: number }[] }) =>
    Object.fromEntries(receipt.stores.filter(({ count }) => count > 0).map(({ service, store, count }) => [`${service}: ${store}`, count]));
  const attendanceOf = async ({ api }: School, roomId: string) =>
    (await api.get(`/v1/room/${roomId}/attendance`)).body.data.participants as { uid: string; duration: number }[];

  it('leaves nothing of a pupil, and everything of the others, the times and the charges', async () => {
    const school = await newSchool();
    const room = await newClass(school);
    const visitor = await RtcParticipant.connect(stack.urls.livekitPublic, await liveKitToken(stack, VISITOR, { room: room.sid }));
    await eventually(async () => expect((await attendanceOf(school, room.roomId)).map(({ uid }) => uid)).toContain(VISITOR));
    await visitor.leave();
    await room.end();
    const before = await tablesWithMark();
    expect(before).toEqual(
      expect.arrayContaining([
        'ai.turns',
        'organization.events',
        'organization.webhook_deliveries',
        'room.chat_messages',
        'room.participant_minutes',
        'room.participants',
      ]),
    );
    const [attendance, balance] = [await attendanceOf(school, room.roomId), (await school.api.get('/v1/billing/balance')).body.data];
    const requested = await erase(school, { uid: PUPIL.uid });
    expect(requested).toMatchObject({ status: 'PENDING', receipt: null, signature: null });
    const { receipt, waitingFor } = await completed(school, requested.erasureId);
    expect(waitingFor).toEqual([]);
    expect(await tablesWithMark()).toEqual([]);
    expect(countsOf(receipt)).toEqual({
      'ai: AI dialogues': 1,
      'ai: AI usage': expect.any(Number),
      'billing: sessions': 1,
      'organization: events': expect.any(Number),
      'organization: webhooks': expect.any(Number),
      'room: chat messages': 1,
      'room: connection addresses': 1,
      'room: measured minutes': 1,
      'room: participants': 1,
      'room: roster entries': 1,
      'room: session addresses': expect.any(Number),
    });
    expect(receipt.subjectHash).toBe(createHash('sha256').update(`${requested.erasureId}:uid:${PUPIL.uid}`).digest('hex'));
    const after = await attendanceOf(school, room.roomId);
    const durations = (people: { duration: number }[]) => people.map(({ duration }) => duration).sort();
    expect(durations(after)).toEqual(durations(attendance));
    expect(after.map(({ uid }) => uid).sort()).toEqual([expect.stringMatching(/^erased#/), 'friend', TEACHER.uid, VISITOR]);
    expect((await school.api.get('/v1/billing/balance')).body.data).toEqual(balance);
    const [poll] = (await school.api.get(`/v1/room/${room.roomId}/polls`)).body.data;
    expect(poll.votes.map(({ uid }: { uid: string }) => uid).sort()).toEqual([expect.stringMatching(/^erased#/), 'friend']);
    const { events } = (await school.api.get('/v1/events')).body.data;
    expect(events.map(({ sequence }: { sequence: number }) => sequence)).toEqual(events.map((_: object, index: number) => index + 1));
    for (const uid of [TEACHER.uid, VISITOR]) await completed(school, (await erase(school, { uid })).erasureId);
    expect([...(await tablesWithMark('zq-8-mark')), ...(await tablesWithMark('zq-9-mark'))]).toEqual([]);
  });

  it('has a receipt that anyone can verify, and no change of it passes', async () => {
    const school = await newSchool();
    const { erasureId } = await erase(school, { uid: 'never-here' });
    const { receipt, signature } = await completed(school, erasureId);
    expect(countsOf(receipt)).toEqual({});
    const key = createPublicKey({ key: Buffer.from(signature.publicKey, 'base64'), format: 'der', type: 'spki' });
    const isSigned = (value: object) => verify(null, Buffer.from(sorted(value)), key, Buffer.from(signature.value, 'base64'));
    expect([isSigned(receipt), isSigned({ ...receipt, completedAt: receipt.requestedAt.replace('2', '3') })]).toEqual([true, false]);
  });

  it('of a class erases everyone in it and what was written about it', async () => {
    const school = await newSchool();
    const [room, other] = [await newClass(school), await newClass(school)];
    await Promise.all([room.end(), other.end()]);
    const { erasureId } = await erase(school, { roomId: room.roomId });
    const { receipt } = await completed(school, erasureId);
    expect(countsOf(receipt)).toMatchObject({
      'room: participants': 4,
      'room: chat messages': 2,
      'room: polls': 1,
      'billing: sessions': 3,
    });
    const people = await attendanceOf(school, room.roomId);
    expect(people.map(({ uid }) => uid.startsWith('erased#'))).toEqual([true, true, true]);
    expect((await attendanceOf(school, other.roomId)).map(({ uid }) => uid).sort()).toEqual(['friend', PUPIL.uid, TEACHER.uid].sort());
    const left = await stack.rows('SELECT 1 FROM room.participants WHERE sid = $1 AND uid LIKE $2', [room.sid, `%${MARK}%`]);
    expect(left).toEqual([]);
    await completed(school, (await erase(school, { uid: PUPIL.uid })).erasureId);
    expect(await tablesWithMark()).toEqual([]);
  });

  it('waits for a live class, a service that is down, and goes through a kill in the middle, with counts of what was erased', async () => {
    const school = await newSchool();
    const room = await newClass(school);
    const { erasureId } = await erase(school, { uid: PUPIL.uid });
    const answer = async () => (await school.api.get(`/v1/privacy/erasures/${erasureId}`)).body.data;
    await eventually(async () => expect((await answer()).waitingFor).toEqual(['billing', 'room', 'organization']));
    expect(await answer()).toMatchObject({ status: 'RUNNING', receipt: null });
    expect((await attendanceOf(school, room.roomId)).map(({ uid }) => uid)).toContain(PUPIL.uid);
    await room.end();
    await stack.app('billing').stop();
    await eventually(async () => expect((await answer()).waitingFor).toEqual(['billing', 'organization']));
    const organization = stack.app('organization');
    await organization.stop();
    organization.launch({ FAILPOINTS: 'organization.erasure.before-commit=crash' });
    await stack.app('billing').start();
    expect((await organization.exited).signal).toBe('SIGKILL');
    expect(await tablesWithMark()).toEqual(expect.arrayContaining(['organization.erasures', 'organization.events']));
    await organization.start();
    const { receipt } = await completed(school, erasureId);
    expect(countsOf(receipt)).toMatchObject({
      'room: participants': 1,
      'room: chat messages': 1,
      'billing: sessions': 1,
      'ai: AI dialogues': 1,
    });
    expect(await tablesWithMark()).toEqual([]);
  });

  it('is one of a person or a class of the own organization', async () => {
    const [school, stranger] = [await newSchool(), await newSchool()];
    const room = await newClass(school);
    await room.end();
    for (const body of [
      {},
      { uid: 'a', roomId: 'b' },
      { uid: '' },
      { organizationId: 'x' },
      { organization: false },
      { uid: 'a', organization: true },
    ]) {
      expect((await school.api.post('/v1/privacy/erasures', body)).status).toBe(400);
    }
    for (const subject of [{ uid: PUPIL.uid }, { roomId: room.roomId }]) {
      const { receipt } = await completed(stranger, (await erase(stranger, subject)).erasureId);
      expect(countsOf(receipt)).toEqual({});
    }
    expect((await attendanceOf(school, room.roomId)).map(({ uid }) => uid)).toContain(PUPIL.uid);
    const { erasureId } = await erase(school, { uid: PUPIL.uid });
    await eventually(async () => {
      const { entries } = (await school.api.get('/v1/audit?operation=createErasure')).body.data;
      const changes = [{ kind: 'erasure', id: erasureId, before: null, after: { subject: 'uid' } }];
      expect(entries).toEqual([expect.objectContaining({ target: {}, fields: ['uid'], changes })]);
    });
    const foreign = await stranger.api.get(`/v1/privacy/erasures/${erasureId}`);
    expect([foreign.status, foreign.body.error]).toEqual([404, 'ERASURE_NOT_FOUND']);
    await completed(school, erasureId);
  });

  describe('of an organization', () => {
    /** What is left of it: the ledger, the receipt, and until 30 days later its id and credentials. */
    const LEFT = [
      ...['accounts', 'cycle_sums', 'ledger_checkpoints', 'ledger_entries', 'plans', 'room_meters'].map((table) => `billing.${table}`),
      ...['organization_credentials', 'organizations', 'erasures'].map((table) => `organization.${table}`),
      ...SCHEMAS.map((schema) => `${schema}.applied_erasures`),
    ];

    const statusOf = async (organizationId: string) =>
      (await adminApi(stack).get(`/v1/admin/organizations/${organizationId}/erasure`)).body.data;

    async function tablesWith(text: string): Promise<string[]> {
      return (await tablesWithMark(text)).filter((table) => !LEFT.includes(table));
    }

    it('ends its classes, charges them, and leaves only the ledger', async () => {
      const [school, neighbour] = [await newSchool(), await newSchool()];
      const [past, room] = [await newClass(school), await newClass(school)];
      const other = await newClass(neighbour);
      await past.end();
      await other.end();
      const before = await tablesWith(school.organizationId);
      expect(before).toEqual(expect.arrayContaining(['ai.chats', 'organization.events', 'organization.webhook_endpoints', 'room.rooms']));
      const requested = await erase(school, { organization: true });
      expect(requested).toMatchObject({ status: 'PENDING', receipt: null });
      await eventually(async () => expect((await school.api.get('/v1/rooms')).body.error).toBe('FORBIDDEN'));
      // Until then, a gateway may not know that the organization is closed.
      await stack.moveClock(MINUTE_MS);
      await eventually(async () => expect((await statusOf(school.organizationId)).status).toBe('COMPLETED'));
      const { receipt, signature } = (await school.api.get(`/v1/privacy/erasures/${requested.erasureId}`)).body.data;
      expect(signature.value).toEqual(expect.any(String));
      expect(await erase(school, { organization: true })).toMatchObject({ erasureId: requested.erasureId, status: 'COMPLETED' });
      // The repeated request is about to be dropped from the audit log.
      await eventually(async () => expect(await tablesWith(school.organizationId)).toEqual([]));
      // Ids of messages, which the service has read once.
      expect(await tablesWith(room.sid)).toEqual(['organization.inbox']);
      expect(countsOf(receipt)).toMatchObject({
        'billing: sessions': 6,
        'room: rooms': 2,
        'room: participants': 8,
        'room: chat messages': 4,
        'ai: chats': 2,
        'organization: webhook endpoints': 1,
      });
      const sum = await stack.rows<{ credits: number }>(
        `SELECT sum(credits)::int AS credits FROM billing.ledger_entries WHERE organization_id = $1 AND kind = 'CHARGE'`,
        [school.organizationId],
      );
      expect(sum[0]?.credits).toBeGreaterThan(0);
      const names = await stack.rows('SELECT 1 FROM billing.ledger_entries WHERE organization_id = $1 AND room_id <> sid', [
        school.organizationId,
      ]);
      expect(names).toEqual([]);
      expect((await attendanceOf(neighbour, other.roomId)).map(({ uid }) => uid)).toContain(PUPIL.uid);
      await stack.moveClock(31 * DAY_MS);
      await eventually(async () => expect((await school.api.get(`/v1/privacy/erasures/${requested.erasureId}`)).status).toBe(401));
      expect(await statusOf(school.organizationId)).toMatchObject({ status: 'COMPLETED', receipt });
    });

    it('can be requested by an operator, and not while recordings are on a legal hold', async () => {
      const school = await newSchool();
      const path = `/v1/admin/organizations/${school.organizationId}`;
      await stack.rows(
        `INSERT INTO recording.recordings (recording_key, organization_id, sid, room_id, title, engine_ids, options, status, version, requested_at, attempted_at, held_at)
         VALUES (gen_random_uuid(), $1, 'a-sid', 'a', 'A', '{}', '{}', 'COMPLETED', 1, now(), now(), now())`,
        [school.organizationId],
      );
      const refused = await adminApi(stack).delete(path);
      expect([refused.status, refused.body.error]).toEqual([409, 'LEGAL_HOLD']);
      expect((await school.api.get('/v1/rooms')).status).toBe(200);
      await stack.rows('DELETE FROM recording.recordings WHERE organization_id = $1', [school.organizationId]);
      const { data: requested } = (await adminApi(stack).delete(path)).body;
      expect((await adminApi(stack).delete(path)).body.data.erasureId).toBe(requested.erasureId);
      expect((await adminApi(stack).get(path)).body.data.closedAt).toEqual(expect.any(String));
      expect((await adminApi(stack).patch(path, { name: 'Again' })).status).toBe(404);
      const unknown = await adminApi(stack).get('/v1/admin/organizations/unknown/erasure');
      expect([unknown.status, unknown.body.error]).toEqual([404, 'ERASURE_NOT_FOUND']);
    });

    it('is repeated by a database that does not know it, as after a restore', async () => {
      const school = await newSchool();
      const path = `/v1/admin/organizations/${school.organizationId}`;
      const { erasureId } = (await adminApi(stack).delete(path)).body.data;
      const bucket = Bucket.of(stack);
      await eventually(async () => expect([...(await bucket.list('erasures/')).keys()]).toContain(`erasures/${erasureId}`));
      await stack.app('organization').stop();
      await stack.rows('DELETE FROM organization.erasures WHERE erasure_id = $1', [erasureId]);
      await stack.rows('UPDATE organization.organizations SET closed_at = NULL WHERE organization_id = $1', [school.organizationId]);
      await stack.app('organization').start();
      await eventually(async () => expect(await statusOf(school.organizationId)).toMatchObject({ erasureId, status: 'PENDING' }));
      expect((await adminApi(stack).get(path)).body.data.closedAt).toEqual(expect.any(String));
    });
  });
});

/** JSON with sorted keys, as the reference describes it. */
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${sorted((value as Record<string, unknown>)[key])}`).join(',')}}`;
}

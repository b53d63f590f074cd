import { randomUUID } from 'node:crypto';
import {
  adminApi,
  type ApiClient,
  eventually,
  expectLedgerInvariants,
  liveKitAdmin,
  newOrganization,
  newRoom,
  person,
  present,
  RtcParticipant,
  type RunningStack,
  sharedStack,
  sleep,
} from '@classroom/testing';

/** A step of a test with the milliseconds since 1970 at which it began and ended. */
interface Timed<T> {
  result: T;
  began: number;
  ended: number;
}

async function timed<T>(work: () => Promise<T>): Promise<Timed<T>> {
  const began = Date.now();
  return { result: await work(), began, ended: Date.now() };
}

/** LiveKit takes whole seconds, and stamps an end when it gets to it. */
const TOLERANCE_S = 2;

/** @param seconds of a session that began during `start` and ended during `end` */
function expectDuration(seconds: number, start: Timed<unknown>, end: Timed<unknown>): void {
  expect(seconds).toBeGreaterThanOrEqual((end.began - start.ended) / 1000 - TOLERANCE_S);
  expect(seconds).toBeLessThanOrEqual((end.ended - start.began) / 1000 + TOLERANCE_S);
}

/** Every minute is billed once: from real participants in a real room to the ledger, the balance and the reports. */
describe('billing', () => {
  let stack: RunningStack;

  beforeAll(async () => {
    stack = await sharedStack();
  });

  afterAll(async () => {
    await RtcParticipant.disposeAll();
  });

  afterEach(() => expectLedgerInvariants(stack));

  const ledgerOf = async (organizationId: string) =>
    (await adminApi(stack).get(`/v1/admin/organizations/${organizationId}/ledger?limit=100`)).body.data.entries as {
      entryId: string;
      kind: string;
      credits: number;
      sid: string | null;
    }[];
  const balanceOf = async (api: ApiClient) => (await api.get('/v1/billing/balance')).body.data;

  it('begins a prepaid balance with the opening credits', async () => {
    const { api, organizationId } = await newOrganization(stack);
    expect((await api.get('/v1/billing/balance')).body).toEqual({
      success: true,
      message: expect.any(String),
      data: {
        type: 'PREPAID',
        status: 'ACTIVE',
        remainingCredits: 1000,
        displayCredits: 1000,
        isOverconsumed: false,
        creditRate: 0.01,
        estimatedValue: 10,
        currency: 'USD',
        message: '1000 credits remaining',
      },
    });
    expect(await ledgerOf(organizationId)).toMatchObject([{ kind: 'OPENING', credits: 1000 }]);
  });

  it('answers 404 for an unknown organization id, 401 for none, 422 without a plan', async () => {
    const { api } = await newOrganization(stack, { billing: undefined });
    expect((await api.get('/v1/billing/balance')).status).toBe(422);
    const unknown = await api.with({ 'VF-ORG-ID': 'org_of_nobody' }).get('/v1/billing/balance');
    expect([unknown.status, unknown.body.message]).toEqual([404, 'Organization not found']);
    expect((await api.with({ 'VF-ORG-ID': '' }).get('/v1/billing/balance')).status).toBe(401);
  });

  it('bills a class of real participants who leave and return, to the second', async () => {
    const { api, organizationId } = await newOrganization(stack);
    const { roomId, sid, token } = await newRoom(api);
    const student = async () => {
      const { body } = await api.post(`/v1/room/${roomId}/join`, { participant: person('student', 'STUDENT') });
      return timed(() => RtcParticipant.connect(stack.urls.livekitPublic, body.data.token));
    };
    const teacher = await RtcParticipant.connect(stack.urls.livekitPublic, token);
    const first = await student();
    await sleep(3_000);
    const firstEnd = await timed(() => first.result.leave());
    await sleep(1_500);
    const second = await student();
    await sleep(2_000);
    const live = (await api.get(`/v1/room/${roomId}/summary`)).body.data;
    expect(live).toMatchObject({ roomId, roomName: 'Test class', totalParticipants: 2, status: 'live', timestamps: { endedAt: null } });
    const end = await timed(() => api.delete(`/v1/room/${roomId}`));
    await Promise.all([teacher.leave(), second.result.leave()]);

    const summary = (await api.get(`/v1/room/${roomId}/summary`)).body.data;
    expect(summary).toMatchObject({ totalParticipants: 2, status: 'finished' });
    await eventually(async () => {
      const charged = (await ledgerOf(organizationId)).filter((entry) => entry.sid === sid);
      expect(charged.reduce((sum, { credits }) => sum - credits, 0)).toBe(summary.totalCredits);
      expect((await balanceOf(api)).remainingCredits).toBe(1000 - summary.totalCredits);
    });

    const { body } = await api.post('/v1/participant/sessions', { uid: 'student', roomId });
    const newest = present(body.data.sessions[0]);
    const oldest = present(body.data.sessions[1]);
    expect(body.data).toMatchObject({
      participant: { uid: 'student', name: 'Name of student', role: 'STUDENT' },
      summary: { totalSessions: 2 },
    });
    expect(oldest).toMatchObject({ openedBy: 'webhook', closedBy: 'webhook' });
    // The end of the class closes it, and LiveKit's webhook confirms that.
    expect([newest.openedBy, newest.closedBy]).toEqual(['webhook', expect.stringMatching(/^(room_end|webhook)$/)]);
    expectDuration(oldest.duration, first, firstEnd);
    expectDuration(newest.duration, second, end);
    expect(body.data.summary.totalDuration).toBe(newest.duration + oldest.duration);

    const [charge] = (await ledgerOf(organizationId)).filter((entry) => entry.sid === sid);
    const explained = await adminApi(stack).get(`/v1/admin/organizations/${organizationId}/ledger/${charge?.entryId}/explain`);
    expect(explained.body.data).toMatchObject({ isConsistent: true, totalCredits: summary.totalCredits });
    expect(explained.body.data.sessions).toHaveLength(3);
    const own = (await api.get(`/v1/billing/ledger?kind=CHARGE&roomId=${roomId}`)).body.data.entries as { entryId: string }[];
    expect(own).toMatchObject([{ sid, credits: -summary.totalCredits }]);
    expect((await api.get(`/v1/billing/ledger/${own[0]?.entryId}/explain`)).body.data).toEqual(explained.body.data);

    const attendance = (await api.get(`/v1/room/${roomId}/attendance`)).body.data;
    expect(attendance).toMatchObject({ roomId, totalParticipants: 2, status: 'finished' });
    expect(attendance.participants.find((one: { uid: string }) => one.uid === 'student')).toMatchObject({
      sessionCount: 2,
      isPresent: false,
    });
  });

  it('shows the IP address that opened each session of a page, and none for a client without a page', async () => {
    const { api } = await newOrganization(stack);
    const { roomId, sid, token } = await newRoom(api);
    const { body } = await api.post(`/v1/room/${roomId}/join`, { participant: person('student', 'STUDENT') });
    const open = async (bearer: string, from: string) => {
      const answer = await api.bearer(bearer).with({ 'X-Forwarded-For': from }).post('/v1/classroom/session');
      expect(answer.text).not.toContain('203.0.113');
      return answer.body.data as { classroomToken: string; livekitToken: string };
    };
    const sessionsOf = async (uid: string) =>
      (await api.post('/v1/participant/sessions', { uid, roomId })).body.data.sessions as { ipAddress?: string }[];
    // Sorted, because a participant who leaves and returns within a second has two sessions with the same joinedAt.
    const shown = async (uid: string, addresses: (string | undefined)[]) =>
      eventually(async () => expect((await sessionsOf(uid)).map(({ ipAddress }) => ipAddress).sort()).toEqual(addresses));

    const first = await open(body.data.token, '::ffff:203.0.113.7');
    const teacher = await RtcParticipant.connect(stack.urls.livekitPublic, token);
    const student = await RtcParticipant.connect(stack.urls.livekitPublic, first.livekitToken);
    // Renewed from another address: the existing connection keeps the first address, a connection with the new token gets the second.
    const second = await open(first.classroomToken, '203.0.113.8');
    await shown('student', ['203.0.113.7']);
    const seen = JSON.stringify(await liveKitAdmin(stack).listParticipants(sid), (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(seen).not.toContain('203.0.113');
    await student.leave();
    await RtcParticipant.connect(stack.urls.livekitPublic, second.livekitToken);
    await shown('student', ['203.0.113.7', '203.0.113.8']);
    await shown('teacher', [undefined]);
    const csv = (await api.post('/v1/participant/sessions', { uid: 'student', export: 'csv' })).text.trim().split('\r\n');
    expect(
      csv
        .slice(-2)
        .map((row) => row.split(',').at(-1))
        .sort(),
    ).toEqual(['203.0.113.7', '203.0.113.8']);
    await api.delete(`/v1/room/${roomId}`);
    await teacher.leave();
  });

  it('applies fifty top-ups with one reference once', async () => {
    const { api, organizationId } = await newOrganization(stack);
    const post = (body: object) => adminApi(stack).post(`/v1/admin/organizations/${organizationId}/credits`, body);
    const body = { amount: 500, reference: `invoice-${randomUUID()}`, note: 'November' };
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(body)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(answers.filter((answer) => answer.body.data.replayed === false)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.body.data.entry.entryId)).size).toBe(1);
    expect((await balanceOf(api)).remainingCredits).toBe(1500);
    expect((await post({ ...body, amount: 501 })).body.error).toBe('IDEMPOTENCY_CONFLICT');
    expect((await post({ amount: -200, reference: 'correction-1' })).body.data).toMatchObject({
      entry: { kind: 'CORRECTION', credits: -200 },
      balance: { remainingCredits: 1300 },
    });
    for (const amount of [0, 1.5, '5']) expect((await post({ amount, reference: 'x' })).status).toBe(400);
  });

  it('refuses a new class below zero, lets existing ones continue, and allows new ones after a top-up', async () => {
    const { api, organizationId } = await newOrganization(stack, {
      billing: { type: 'PREPAID', credits: 10, creditRate: 1, currency: 'USD' },
    });
    const { roomId } = await newRoom(api);
    const post = (amount: number) =>
      adminApi(stack).post(`/v1/admin/organizations/${organizationId}/credits`, { amount, reference: randomUUID() });
    await post(-10);
    const body = { roomId: randomUUID(), title: 'T', participant: person('t') };
    const headers = { 'Idempotency-Key': randomUUID() };
    const created = await api.post('/v1/room/create', body, headers);
    expect((await api.post('/v1/room/create', { roomId: randomUUID(), title: 'T', participant: person('t') })).status).toBe(200);
    await post(-1);
    expect(await balanceOf(api)).toMatchObject({ status: 'OVERCONSUMED', remainingCredits: -1, displayCredits: 1, isOverconsumed: true });
    await eventually(async () => {
      const refused = await api.post('/v1/room/create', { roomId: randomUUID(), title: 'T', participant: person('t') });
      expect([refused.status, refused.body.error]).toEqual([402, 'INSUFFICIENT_CREDITS']);
    });
    expect((await api.post(`/v1/room/${roomId}/join`, { participant: person('x') })).status).toBe(200);
    // A replay of a creation that succeeded earlier does not check the balance again.
    const replayed = await api.post('/v1/room/create', body, headers);
    expect([created.status, replayed.status, replayed.body.data?.room.sid]).toEqual([200, 200, created.body.data.room.sid]);
    expect((await api.post('/v1/room/create', { ...body, title: 'U' }, headers)).body.error).toBe('IDEMPOTENCY_CONFLICT');
    await post(5);
    // The gateway's copy may still say no, so the owner of the data is asked, and the request succeeds immediately.
    expect((await api.post('/v1/room/create', { roomId: randomUUID(), title: 'T', participant: person('t') })).status).toBe(200);
  });

  it.each<[string, object, string]>([
    ['uid is required', {}, 'uid'],
    ['startDate is required when endDate is given', { uid: 'a', endDate: '2026-01-31' }, 'startDate'],
    ['endDate must not be before startDate', { uid: 'a', startDate: '2026-02-01', endDate: '2026-01-31' }, 'endDate'],
    ['startDate must be a date such as 2026-01-31', { uid: 'a', startDate: '2026-02-30' }, 'startDate'],
    ['limit must be at most 10', { uid: 'a', limit: 11 }, 'limit'],
    ['page must be at least 1', { uid: 'a', page: 0 }, 'page'],
    ['export must be one of csv, json', { uid: 'a', export: 'xml' }, 'export'],
  ])('rejects a request with "%s"', async (message, body, path) => {
    const { api } = await newOrganization(stack);
    const answer = await api.post('/v1/participant/sessions', body);
    expect([answer.status, answer.body.message, answer.body.details[0]?.path]).toEqual([400, message, path]);
  });

  it('answers an unknown uid with empty lists', async () => {
    const { api } = await newOrganization(stack);
    const today = new Date().toISOString().slice(0, 10);
    const { body } = await api.post('/v1/participant/sessions', { uid: 'unknown' });
    expect(body.data).toEqual({
      participant: { uid: 'unknown', name: null, role: null },
      roomGroups: [],
      summary: {
        totalSessions: 0,
        totalDuration: 0,
        totalCredits: 0,
        averageDuration: 0,
        roomsAttended: 0,
        dateRange: { from: today, to: today },
      },
      pagination: { page: 1, limit: 10, totalRooms: 0, hasMore: false },
    });
  });
});

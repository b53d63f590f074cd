import {
  adminApi,
  ApiClient,
  eventually,
  expectLedgerInvariants,
  meterOf,
  newOrganization,
  newRoom,
  person,
  reportMinute,
  RtcParticipant,
  TestStack,
} from '@classroom/testing';

const DAY = 86_400_000;
const BILLING = { type: 'PREPAID', credits: 1_000, creditRate: 0.01, currency: 'EUR' };

interface School {
  api: ApiClient;
  organizationId: string;
  roomId: string;
  sid: string;
}

/** Moves the clock of its own stack. */
describe('the retention of personal data', () => {
  let stack: TestStack;
  let brief: School;
  let usual: School;

  /** A class in which everything is left that a retention erases, over and charged. */
  async function school(): Promise<School> {
    const { api, organizationId, value } = await newOrganization(stack, { billing: BILLING });
    const { roomId, sid } = await newRoom(api, { roster: [person('pupil', 'STUDENT'), person('absent', 'STUDENT')] });
    const enter = async (uid: string, role: string) => {
      const { token } = (await api.post(`/v1/room/${roomId}/join`, { participant: person(uid, role) })).body.data;
      const session = (await api.bearer(token).post('/v1/classroom/session')).body.data;
      await RtcParticipant.connect(stack.urls.livekitPublic, session.livekitToken);
      return api.bearer(session.classroomToken);
    };
    const teacher = await enter('teacher', 'TEACHER');
    const pupil = await enter('pupil', 'STUDENT');
    await pupil.post('/v1/classroom/chat', { text: 'Hello' });
    const { pollId } = (await teacher.post('/v1/classroom/polls', { question: 'Ready?', options: ['Yes', 'No'] })).body.data;
    await pupil.post(`/v1/classroom/polls/${pollId}/vote`, { option: 1 });
    const question = { roomId, studentUid: 'pupil', organizationId: value, text: 'What is a hypotenuse?' };
    expect((await api.post('/v1/ai-tutor/chat', question)).status).toBe(200);
    await reportMinute(stack, pupil, { sid, uid: 'pupil' });
    await eventually(async () => expect((await api.get(`/v1/room/${roomId}/summary`)).body.data.totalCredits).toBeGreaterThan(0));
    await api.delete(`/v1/room/${roomId}`);
    await eventually(async () => expect(await meterOf(stack, sid)).toMatchObject({ isSettled: true }));
    return { api, organizationId, roomId, sid };
  }

  /** How much of each class of data is stored of a school's class, in all services. */
  async function stored({ organizationId, sid }: School): Promise<Record<string, number>> {
    const [row] = await stack.rows<Record<string, number>>(
      `SELECT (SELECT count(*)::int FROM room.chat_messages WHERE sid = $1) AS chat,
              (SELECT count(*)::int FROM room.participant_minutes WHERE sid = $1) AS engagement,
              (SELECT count(*)::int FROM room.polls WHERE sid = $1) AS polls,
              (SELECT count(*)::int FROM room.poll_votes v JOIN room.polls p USING (poll_id) WHERE p.sid = $1) AS votes,
              (SELECT count(ip)::int FROM room.connections_by_month WHERE sid = $1)
                + (SELECT count(*)::int FROM room.session_addresses WHERE sid = $1)
                + (SELECT count(ip)::int FROM billing.sessions_by_month WHERE sid = $1) AS addresses,
              (SELECT count(*)::int FROM ai.turns t JOIN ai.chats c USING (chat_key) WHERE c.sid = $1)
                + (SELECT count(*)::int FROM ai.questions WHERE sid = $1) AS dialogues,
              (SELECT count(student_uid)::int FROM ai.usage WHERE organization_id = $2) AS users,
              (SELECT count(*)::int FROM room.participants WHERE sid = $1 AND name <> '')
                + (SELECT count(*)::int FROM room.connections_by_month WHERE sid = $1 AND name <> '')
                + (SELECT count(*)::int FROM room.roster_entries WHERE sid = $1)
                + (SELECT count(*)::int FROM billing.sessions_by_month WHERE sid = $1 AND name <> '') AS names`,
      [sid, organizationId],
    );
    return row ?? {};
  }

  const ERASED = { chat: 0, engagement: 0, addresses: 0, dialogues: 0, users: 0 };

  async function effectOf({ organizationId }: School, dataClass: string, kept: number) {
    const body = { subject: 'head', role: 'OWNER' };
    const { token } = (await adminApi(stack).post(`/v1/admin/organizations/${organizationId}/dashboard-tokens`, body)).body.data;
    const answer = await new ApiClient(stack.urls.gateway)
      .bearer(token)
      .get(`/v1/dashboard/retention/effect?dataClass=${dataClass}&kept=${kept}`);
    return answer.body.data;
  }

  const laterBy = (days: number) => stack.moveClock(days * DAY);

  beforeAll(async () => {
    stack = await TestStack.start({ apps: ['organization', 'room', 'billing', 'ai', 'gateway'] });
    [brief, usual] = await Promise.all([school(), school()]);
    const set = { retention: { addresses: 1, chat: 1, engagement: 1, polls: 3, aiDialogues: 1, presence: 90 } };
    const { status, body } = await adminApi(stack).patch(`/v1/admin/organizations/${brief.organizationId}`, set);
    expect([status, body.data.retention]).toEqual([200, { ...set.retention, board: 365, recordings: 6 }]);
  });

  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await stack?.stop();
  });

  afterEach(() => expectLedgerInvariants(stack));

  it('erases what is older than the organization keeps it, and nothing of another one', async () => {
    const before = await stored(usual);
    for (const count of Object.values(before)) expect(count).toBeGreaterThan(0);
    expect(Object.keys(before)).toEqual(expect.arrayContaining(Object.keys(ERASED)));
    await laterBy(2);
    await eventually(async () => expect(await stored(brief)).toMatchObject(ERASED));
    const { polls, votes } = before;
    expect(await stored(brief)).toMatchObject({ polls, votes });
    // What a day would erase of the other school, whose data is two days old, and what a month would.
    for (const dataClass of ['addresses', 'chat', 'engagement', 'polls', 'aiDialogues']) {
      expect(await effectOf(usual, dataClass, 1)).toMatchObject({ erased: 1, stored: 1, oldestAt: expect.any(String) });
      expect(await effectOf(usual, dataClass, 30)).toMatchObject({ erased: 0, stored: 1, oldestAt: null });
      expect(await effectOf(brief, dataClass, 1)).toMatchObject(
        dataClass === 'polls' ? { erased: 1, stored: 1 } : { erased: 0, stored: 0 },
      );
    }
    await laterBy(4);
    await eventually(async () => expect(await stored(brief)).toMatchObject({ ...ERASED, polls: 0, votes: 0 }));
    expect(await stored(usual)).toEqual(before);
    const { names } = await stored(brief);
    expect(names).toBe(before['names']);
    const { participants } = (await brief.api.get(`/v1/room/${brief.roomId}/attendance`)).body.data;
    expect(participants.map(({ uid }: { uid: string }) => uid).sort()).toEqual(['pupil', 'teacher']);
    expect((await brief.api.get(`/v1/room/${brief.roomId}/polls`)).body.data).toEqual([]);
  });

  it('replaces people by pseudonyms, and leaves times and charges as they were', async () => {
    const attendance = async () => (await brief.api.get(`/v1/room/${brief.roomId}/attendance`)).body.data.participants;
    const balance = async () => (await brief.api.get('/v1/billing/balance')).body.data;
    const seconds = (people: { duration: number }[]) => people.map(({ duration }) => duration).sort();
    const [before, credits] = [await attendance(), await balance()];
    await laterBy(91);
    await eventually(async () => expect((await stored(brief))['names']).toBe(0));
    const after = await attendance();
    expect(seconds(after)).toEqual(seconds(before));
    for (const { uid, name } of after) expect([uid, name]).toEqual([expect.stringMatching(/^erased#[0-9a-f]{16}$/), '']);
    expect(await balance()).toEqual(credits);
    expect((await stored(usual))['names']).toBeGreaterThan(0);
    const { participants } = (await usual.api.get(`/v1/room/${usual.roomId}/attendance`)).body.data;
    expect(participants.map(({ uid }: { uid: string }) => uid).sort()).toEqual(['pupil', 'teacher']);
  });

  it('is refused outside the limits of a class, and returns to the default with null', async () => {
    const change = (retention: object) => adminApi(stack).patch(`/v1/admin/organizations/${usual.organizationId}`, { retention });
    for (const wrong of [{ chat: 0 }, { addresses: 366 }, { recordings: 5 }, { chat: 1.5 }, { presence: '90' }]) {
      expect((await change(wrong)).status).toBe(400);
    }
    expect((await change({ chat: 7 })).body.data.retention).toMatchObject({ chat: 7, polls: 365 });
    expect((await change({ polls: 8 })).body.data.retention).toMatchObject({ chat: 7, polls: 8 });
    expect((await change({ chat: null })).body.data.retention).toMatchObject({ chat: 365, polls: 8 });
  });
});

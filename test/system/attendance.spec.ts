import { attendanceEvaluated } from '@classroom/contracts';
import {
  adminApi,
  type ApiClient,
  eventually,
  newOrganization,
  newRoom,
  person,
  publishFact,
  type ReceivedWebhook,
  RtcParticipant,
  type RunningStack,
  sharedStack,
  storedFacts,
  unhandled,
  WebhookReceiver,
} from '@classroom/testing';

/** Tolerates no second. */
const POLICY = { lateAfter: 0, leftBefore: 0, minimumPresence: 1, reconnectGrace: 0 };

describe('the attendance of a class', () => {
  let stack: RunningStack;
  let receiver: WebhookReceiver;
  let api: ApiClient;
  let organizationId: string;

  beforeAll(async () => {
    [stack, receiver] = await Promise.all([sharedStack(), WebhookReceiver.start()]);
    ({ api, organizationId } = await newOrganization(stack));
  });
  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await receiver?.stop();
  });

  const connect = (token: string) => RtcParticipant.connect(stack.urls.livekitPublic, token);
  const enter = async (roomId: string, uid: string) =>
    connect((await api.post(`/v1/room/${roomId}/join`, { participant: person(uid, 'STUDENT') })).body.data.token);
  const present = async (roomId: string) => (await api.get(`/v1/room/${roomId}/status`)).body.data.participantCount;
  /** LiveKit's times are whole seconds. */
  const passSeconds = (count: number, since = Date.now()) => eventually(() => expect(Date.now() - since).toBeGreaterThan(count * 1_000));

  it('is evaluated against the roster: in JSON, CSV, the webhook and the history, each the same and once', async () => {
    const types = ['attendance.evaluated'];
    expect((await api.post('/v1/webhook-endpoints', { url: receiver.url(), eventTypes: types })).status).toBe(200);
    const roster = ['punctual', 'late', 'early'].map((uid) => ({ uid }));
    const missing = { uid: 'missing', name: 'Mia Miller' };
    const { roomId, sid, token } = await newRoom(api, { settings: { attendance: POLICY }, roster: [...roster, missing] });
    expect((await api.get(`/v1/room/${roomId}/attendance`)).body.data).not.toHaveProperty('evaluation');
    await connect(token);
    await enter(roomId, 'punctual');
    const early = await enter(roomId, 'early');
    await eventually(async () => expect(await present(roomId)).toBe(3));
    // Everyone who is here is here in time.
    const startsAt = new Date().toISOString();
    expect((await api.patch(`/v1/room/${roomId}`, { settings: { startsAt } })).body.data.startsAt).toBe(startsAt);
    await passSeconds(2);
    await enter(roomId, 'late');
    await early.leave();
    await eventually(async () => expect(await present(roomId)).toBe(3));
    await passSeconds(2);
    expect((await api.delete(`/v1/room/${roomId}`)).status).toBe(200);

    const counts = { present: 1, late: 1, leftEarly: 1, absent: 1 };
    const report = await eventually(async () => {
      const { data } = (await api.get(`/v1/room/${roomId}/attendance`)).body;
      expect(data).toMatchObject({ status: 'finished', evaluation: { policy: POLICY, counts }, neverJoined: [missing] });
      return data;
    });
    const statuses = report.participants.map(({ uid, evaluation }) => [uid, evaluation?.status, evaluation?.isOnRoster]);
    expect(statuses.toSorted()).toEqual([
      ['early', 'LEFT_EARLY', true],
      ['late', 'LATE', true],
      ['punctual', 'PRESENT', true],
      ['teacher', 'PRESENT', false],
    ]);
    const linesOf = async (query: string): Promise<string[]> =>
      (await api.get(`/v1/room/${roomId}/attendance?export=csv${query}`)).text.split('\r\n');
    // LiveKit's report of the end still corrects the last times.
    const lines = await eventually(async () => {
      const [all, table] = [await linesOf(''), await linesOf('&format=table')];
      expect(table).toEqual(all.slice(all.findIndex((line) => line.startsWith('UID,'))));
      return all;
    });
    expect(lines).toEqual(expect.arrayContaining(['Present,1', 'Late,1', 'Left Early,1', 'Absent,1']));
    expect(lines.find((line) => line.startsWith('UID,'))).toMatch(/,Status,Attendance,Late \(min\),Left Early \(min\),On Roster$/);
    expect(lines.find((line) => line.startsWith('late,'))).toMatch(/,Left,LATE,(?!0\.00)\d+\.\d\d,0\.00,Yes$/);
    expect(lines.find((line) => line.startsWith('teacher,'))).toMatch(/,Left,PRESENT,0\.00,0\.00,No$/);
    expect(lines.at(-2)).toBe('missing,"Mia Miller",,,,0.00,0.0,0,Absent,ABSENT,,,Yes');

    await eventually(() => expect(receiver.on('/hook')).toHaveLength(1));
    const { event } = receiver.on('/hook')[0] as ReceivedWebhook;
    const { policy, lessonStart, lessonEnd } = report.evaluation ?? {};
    expect(event.data).toMatchObject({ roomId, sid, policy, lessonStart, lessonEnd, counts, furtherPeople: 0 });
    const people = (event.data as { people: { uid: string; status: string }[] }).people.map(({ uid, status }) => [uid, status]);
    expect(people).toEqual([
      ['missing', 'ABSENT'],
      ['late', 'LATE'],
      ['early', 'LEFT_EARLY'],
      ['punctual', 'PRESENT'],
      ['teacher', 'PRESENT'],
    ]);
    // The fact comes again, as another message.
    const [fact, ...others] = (await storedFacts(stack, attendanceEvaluated)).filter(({ subject }) => subject === sid);
    expect([fact?.data.organizationId, others]).toEqual([organizationId, []]);
    if (fact) await publishFact(stack, attendanceEvaluated, sid, fact.data);
    await eventually(async () => expect(await unhandled(stack, 'organizationFacts')).toBe(0));
    const { events } = (await api.get('/v1/events?types=attendance.evaluated')).body.data;
    expect(events).toEqual([event]);

    const { api: other } = await newOrganization(stack);
    expect((await other.get(`/v1/room/${roomId}/attendance`)).status).toBe(404);
    expect((await other.patch(`/v1/room/${roomId}`, { roster: [] })).status).toBe(404);
    expect((await other.get('/v1/events?types=attendance.evaluated')).body.data.events).toEqual([]);
  });

  it('has the policy of the organization unless the room has its own', async () => {
    const school = await newOrganization(stack, { attendance: { lateAfter: 60 } });
    const path = `/v1/admin/organizations/${school.organizationId}` as const;
    const policyOf = async (more: object = {}) => {
      const { roomId } = await newRoom(school.api, more);
      return (await school.api.get(`/v1/room/${roomId}`)).body.data.settings.attendance;
    };
    const policy = { lateAfter: 60, leftBefore: 300, minimumPresence: 50, reconnectGrace: 60 };
    expect((await adminApi(stack).get(path)).body.data.attendance).toEqual(policy);
    expect(await policyOf()).toEqual(policy);
    expect(await policyOf({ settings: { attendance: { leftBefore: 0 } } })).toEqual({ ...policy, leftBefore: 0 });
    expect((await adminApi(stack).patch(path, { attendance: { minimumPresence: 75 } })).body.data.attendance).toEqual({
      ...policy,
      minimumPresence: 75,
    });
    await eventually(async () => expect(await policyOf()).toMatchObject({ minimumPresence: 75 }));
    expect((await adminApi(stack).patch(path, { attendance: null })).body.data.attendance).toBeNull();
    await eventually(async () => expect(await policyOf()).toBeNull());
    const twice = await school.api.post('/v1/room/create', {
      roomId: 'twice',
      title: 'Twice',
      participant: person('teacher'),
      roster: [{ uid: 'ada' }, { uid: 'ada' }],
    });
    expect([twice.status, twice.body.details]).toMatchObject([400, [{ path: 'roster' }]]);
  });
});

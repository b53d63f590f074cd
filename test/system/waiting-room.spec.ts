import {
  type ApiClient,
  enterWithToken,
  eventually,
  liveKitAdmin,
  newOrganization,
  newRoom,
  person,
  RtcParticipant,
  type RunningStack,
  sharedStack,
} from '@classroom/testing';

/** The waiting room as backends and participants see it, with a real LiveKit. */
describe('the waiting room', () => {
  let stack: RunningStack;
  let api: ApiClient;

  beforeAll(async () => {
    stack = await sharedStack();
    ({ api } = await newOrganization(stack));
  });
  afterAll(() => RtcParticipant.disposeAll());

  const connect = (token: string) => RtcParticipant.connect(stack.urls.livekitPublic, token);
  const newClass = (waitingRoom = 'STUDENTS') => newRoom(api, { settings: { waitingRoom } });

  /** A participant with a join token, as a page uses it. */
  async function invite(roomId: string, uid: string, role = 'STUDENT') {
    const { token } = (await api.post(`/v1/room/${roomId}/join`, { participant: person(uid, role) })).body.data;
    const open = () => api.bearer(token).post('/v1/classroom/session');
    return { token, open, session: async () => (await open()).body.data };
  }
  /** A participant in class, with a client for the class's operations. */
  const enter = (token: string) => enterWithToken(stack, api, token);
  const waitingUids = async (roomId: string) => (await api.get(`/v1/room/${roomId}/waiting`)).body.data.participants.map(({ uid }) => uid);
  const decide = (roomId: string, uid: string, decision: string) =>
    api.post(`/v1/room/${roomId}/participants/${uid}/admission`, { decision });
  const eventsOf = async (roomId: string) =>
    (await api.get('/v1/events?types=participant.waiting,participant.admitted,participant.refused&limit=1000')).body.data.events
      .map(({ type, data }) => ({ type, ...(data as { roomId: string; uid: string; decidedBy?: string | null }) }))
      .filter((event) => event.roomId === roomId)
      .map(({ type, uid, decidedBy }) => [type, uid, ...(decidedBy === undefined ? [] : [decidedBy])].join(' '));

  it('gives a participant nothing of the class before a teacher admits them', async () => {
    const { roomId, sid, token } = await newClass();
    const teacher = await enter(token);
    await teacher.rtc.publish();
    await teacher.inClass.post('/v1/classroom/chat', { text: 'Only for those who are here' });
    const ada = await invite(roomId, 'ada');
    const waiting = await ada.session();
    expect(waiting).toMatchObject({
      livekitToken: '',
      admission: { state: 'WAITING', waitingSince: expect.any(String) },
      present: { count: 0, names: [] },
      room: { startedAt: null, roomDescription: null },
    });
    // A modified client has the join token and the classroom token. None of them opens anything.
    await expect(connect(ada.token)).rejects.toThrow();
    const outside = api.bearer(waiting.classroomToken);
    for (const answer of [
      await outside.get('/v1/classroom/state'),
      await outside.get('/v1/classroom/chat'),
      await outside.get('/v1/classroom/tutor'),
      await outside.post('/v1/classroom/chat', { text: 'Hello' }),
      await outside.post('/v1/classroom/hand', { raised: true }),
      await outside.post('/v1/classroom/reactions', { emoji: '👍' }),
      await outside.post('/v1/classroom/admit-all'),
    ])
      expect([answer.status, answer.body.error]).toEqual([401, 'UNAUTHORIZED']);
    expect((await outside.get('/v1/classroom/admission')).body.data).toMatchObject({ state: 'WAITING' });
    // The session is renewed by a page that is opened again, with the same place.
    expect((await ada.session()).admission).toEqual(waiting.admission);
    await eventually(async () =>
      expect((await teacher.inClass.get('/v1/classroom/state')).body.data.waiting).toEqual([
        { uid: 'ada', name: person('ada').name, role: 'STUDENT', waitingSince: waiting.admission?.waitingSince },
      ]),
    );
    expect(await waitingUids(roomId)).toEqual(['ada']);
    const { participantCount } = (await api.get(`/v1/room/${roomId}/status`)).body.data;
    expect(participantCount).toBe(1);
    expect((await teacher.inClass.post('/v1/classroom/participants/ada/admission', { decision: 'ADMIT' })).body.data).toEqual({
      uid: 'ada',
      state: 'ADMITTED',
    });
    const fresh = api.bearer((await ada.session()).classroomToken);
    expect((await fresh.get('/v1/classroom/admission')).body.data.state).toBe('ADMITTED');
    const admitted = await enter(ada.token);
    await eventually(() => expect(admitted.rtc.received.video).toBeGreaterThan(0));
    expect((await admitted.inClass.get('/v1/classroom/state')).body.data.messages).toHaveLength(1);
    expect((await admitted.inClass.get('/v1/classroom/state')).body.data).not.toHaveProperty('waiting');
    // Who was admitted comes back without waiting.
    await admitted.rtc.leave();
    await enter(ada.token);
    expect(await waitingUids(roomId)).toEqual([]);
    await eventually(async () => expect(await eventsOf(roomId)).toEqual(['participant.waiting ada', 'participant.admitted ada teacher']));
    expect((await liveKitAdmin(stack).listParticipants(sid)).length).toBe(2);
  });

  it('admits by the backend, before and after a refusal, and everyone at once', async () => {
    const { roomId } = await newClass();
    const [ada, bob, carl] = [await invite(roomId, 'ada'), await invite(roomId, 'bob'), await invite(roomId, 'carl')];
    await ada.open();
    expect((await decide(roomId, 'ada', 'REFUSE')).body).toMatchObject({ message: 'Participant refused', data: { state: 'REFUSED' } });
    expect(await ada.open()).toMatchObject({ status: 403, body: { error: 'ADMISSION_REFUSED' } });
    expect((await decide(roomId, 'ada', 'ADMIT')).status).toBe(200);
    expect((await decide(roomId, 'ada', 'ADMIT')).status).toBe(200);
    expect(await decide(roomId, 'ada', 'REFUSE')).toMatchObject({ status: 409, body: { error: 'PARTICIPANT_ADMITTED' } });
    expect(await decide(roomId, 'zoe', 'ADMIT')).toMatchObject({ status: 404, body: { error: 'PARTICIPANT_NOT_FOUND' } });
    expect((await decide(roomId, 'carl', 'ADMIT')).status).toBe(200);
    expect((await carl.session()).livekitToken).not.toBe('');
    await bob.open();
    expect(await waitingUids(roomId)).toEqual(['bob']);
    expect((await api.post(`/v1/room/${roomId}/admit-all`)).body.data).toEqual({ admitted: 1 });
    expect((await bob.session()).livekitToken).not.toBe('');
    expect((await api.post(`/v1/room/${roomId}/admit-all`)).body.data).toEqual({ admitted: 0 });
    // A removal takes the admission away.
    await enter(bob.token);
    expect((await api.post(`/v1/room/${roomId}/participants/bob/remove`)).status).toBe(200);
    const again = await invite(roomId, 'bob');
    expect((await again.session()).admission?.state).toBe('WAITING');
    await eventually(async () =>
      expect(await eventsOf(roomId)).toEqual([
        'participant.waiting ada',
        'participant.refused ada ',
        'participant.admitted ada ',
        'participant.admitted carl ',
        'participant.waiting bob',
        'participant.admitted bob ',
        'participant.waiting bob',
      ]),
    );
  });

  it('keeps teachers out as well, where everyone waits, until an admin or the backend admits them', async () => {
    const { roomId, token } = await newRoom(api, { settings: { waitingRoom: 'ALL' }, participant: person('teacher', 'TEACHER') });
    const waiting = (await api.bearer(token).post('/v1/classroom/session')).body.data;
    expect([waiting.livekitToken, waiting.admission?.state]).toEqual(['', 'WAITING']);
    const outside = api.bearer(waiting.classroomToken);
    for (const route of ['recording/start', 'end', 'admit-all', 'mute-all'])
      expect((await outside.post(`/v1/classroom/${route}`)).status).toBe(401);
    const admin = await enter((await invite(roomId, 'admin', 'ADMIN')).token);
    expect((await admin.inClass.post('/v1/classroom/admit-all')).body.data).toEqual({ admitted: 1 });
    const teacher = await enter(token);
    await (await invite(roomId, 'ada')).open();
    expect((await teacher.inClass.post('/v1/classroom/admit-all')).body.data).toEqual({ admitted: 1 });
  });

  it('opens during a class: who is there stays, others wait, also with a token from before', async () => {
    const { roomId, sid, token } = await newClass('OFF');
    const teacher = await enter(token);
    const [ada, bob] = [await invite(roomId, 'ada'), await invite(roomId, 'bob')];
    const present = await enter(ada.token);
    const unused = (await bob.session()).livekitToken;
    await eventually(async () => expect((await api.get(`/v1/room/${roomId}/status`)).body.data.participantCount).toBe(2));
    const changed = await teacher.inClass.patch('/v1/classroom/room', { settings: { waitingRoom: 'STUDENTS' } });
    expect(changed.body.data.waitingRoom).toBe('STUDENTS');
    const early = await connect(unused);
    await eventually(() => expect(early.disconnected).toBe(true));
    expect((await bob.session()).admission?.state).toBe('WAITING');
    expect(present.rtc.disconnected).toBe(false);
    expect((await present.inClass.get('/v1/classroom/state')).status).toBe(200);
    await eventually(async () =>
      expect((await liveKitAdmin(stack).listParticipants(sid)).map(({ identity }) => identity).sort()).toEqual(['ada', 'teacher']),
    );
    expect((await api.patch(`/v1/room/${roomId}`, { settings: { waitingRoom: 'OFF' } })).status).toBe(200);
    expect((await bob.session()).livekitToken).not.toBe('');
  });
});

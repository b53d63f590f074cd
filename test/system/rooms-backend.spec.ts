import {
  type ApiClient,
  eventually,
  liveKitAdmin,
  newOrganization,
  newRoom,
  person,
  type Query,
  RtcParticipant,
  type RunningStack,
  sharedStack,
} from '@classroom/testing';

/** What a backend can read and do with its rooms in addition to holding classes: paged lists, changes, the participants of a room. */
describe('an organization’s rooms', () => {
  let stack: RunningStack;
  let api: ApiClient;

  beforeAll(async () => {
    stack = await sharedStack();
  });
  beforeEach(async () => void ({ api } = await newOrganization(stack)));
  afterAll(() => RtcParticipant.disposeAll());

  const list = async (query: Query = '') => (await api.get(`/v1/rooms${query}`)).body.data;
  const idsOf = ({ rooms }: { rooms: { roomId: string }[] }) => rooms.map(({ roomId }) => roomId);
  const enter = async (token: string) => RtcParticipant.connect(stack.urls.livekitPublic, token);
  const people = async (roomId: string, query: Query = '') => (await api.get(`/v1/room/${roomId}/participants${query}`)).body.data;

  it('are listed, described, changed and filtered over HTTP', async () => {
    const { roomId, token } = await newRoom(api, { title: 'ALGEBRA 100%' });
    const other = await newRoom(api, { title: 'Biology' });
    await enter(token);
    await eventually(async () => expect(idsOf(await list('?status=live&title=0%25'))).toEqual([roomId]));
    const first = await list('?limit=1');
    expect(idsOf(first)).toEqual([other.roomId]);
    expect(await list(`?limit=1&cursor=${first.nextCursor}`)).toMatchObject({ rooms: [{ roomId, participantCount: 1 }], nextCursor: null });
    const changed = await api.patch(`/v1/room/${roomId}`, { title: 'Geometry', settings: { maxParticipants: 1 } });
    expect([changed.status, changed.body.data]).toMatchObject([200, { title: 'Geometry', maxParticipants: 1 }]);
    const full = await api.post(`/v1/room/${roomId}/join`, { participant: person('late') });
    expect([full.status, full.body.error]).toEqual([409, 'ROOM_FULL']);
    expect((await people(roomId, '?connected=true&limit=1')).participants).toMatchObject([{ uid: 'teacher', isConnected: true }]);
    const { body } = await api.get(`/v1/room/${roomId}/participants/teacher`);
    expect(body).toMatchObject({ success: true, message: 'Participant', data: { uid: 'teacher', leftAt: null } });
    expect((await api.get(`/v1/room/${roomId}/participants/stranger`)).status).toBe(404);
  });

  it('are returned whole, and changed in everything that was given', async () => {
    const settings = { maxParticipants: 9, autoRecord: true, chat: { mode: 'OFF', slowModeSeconds: 0 }, maxDuration: 3_600 };
    const { roomId, sid } = await newRoom(api, { metadata: { grade: 7 }, customization: { theme: 'dark' }, settings });
    const whole = { roomId, sid, status: 'created', metadata: { grade: 7 }, customization: { theme: 'dark', showLobby: true }, settings };
    expect((await api.get(`/v1/room/${roomId}`)).body).toMatchObject({ success: true, data: whole });
    const change = { metadata: null, customization: { theme: 'light' }, settings: { autoRecord: false, maxDuration: null } };
    expect((await api.patch(`/v1/room/${roomId}`, change)).body.data).toMatchObject({
      metadata: null,
      autoRecord: false,
      maxDuration: null,
    });
    const changed = { metadata: null, customization: { theme: 'light', showLobby: true }, settings: change.settings };
    expect((await api.get(`/v1/room/${roomId}`)).body.data).toMatchObject(changed);
    expect((await api.get('/v1/room/never')).body.error).toBe('ROOM_NOT_FOUND');
  });

  it('open by their schedule: a link that was sent before gives no way into LiveKit until then', async () => {
    const startsAt = new Date(Date.now() + 3_600_000).toISOString();
    const { roomId, sid, token } = await newRoom(api, { settings: { startsAt } });
    const student = (await api.post(`/v1/room/${roomId}/join`, { participant: person('ada', 'STUDENT') })).body.data;
    expect(Date.parse(student.expiresAt)).toBeGreaterThan(Date.parse(startsAt));
    const session = () => api.bearer(student.token).post('/v1/classroom/session');
    const refused = await session();
    const opensAt = new Date(Date.parse(startsAt) - 600_000).toISOString();
    expect([refused.status, refused.body.error]).toEqual([409, 'ROOM_NOT_OPEN']);
    expect(refused.body.details).toEqual(
      expect.arrayContaining([
        { path: 'startsAt', message: startsAt },
        { path: 'opensAt', message: opensAt },
        { path: 'title', message: 'Test class' },
      ]),
    );
    await expect(enter(student.token)).rejects.toThrow();
    await enter(token);
    await api.patch(`/v1/room/${roomId}`, { settings: { joinBefore: 3_600 } });
    await enter((await session()).body.data.livekitToken);
    const notBefore = new Date(Date.now() + 60_000).toISOString();
    const later = await api.post(`/v1/room/${roomId}/join`, { participant: { ...person('bob', 'STUDENT'), notBefore, expiresIn: 600 } });
    await expect(enter(later.body.data.token)).rejects.toThrow();
    expect((await api.bearer(later.body.data.token).post('/v1/classroom/session')).body.error).toBe('ROOM_NOT_OPEN');
    expect((await liveKitAdmin(stack).listParticipants(sid)).map(({ identity }) => identity).sort()).toEqual(['ada', 'teacher']);
  });

  it.each([
    ['status=open', 'status'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['cursor=none', 'cursor'],
    ['startDate=2026-13-01', 'startDate'],
    ['startDate=2026-02-02&endDate=2026-02-01', 'endDate'],
    ['title=', 'title'],
  ])('are not listed for ?%s, which is refused with the name of the parameter', async (query, field) => {
    const answer = await api.get(`/v1/rooms?${query}`);
    expect([answer.status, answer.body.details?.[0]?.path]).toEqual([400, field]);
  });

  it('let a backend change a role permanently and immediately, whatever the token grants', async () => {
    const { roomId, sid, token } = await newRoom(api);
    const student = (await api.post(`/v1/room/${roomId}/join`, { participant: person('ada', 'STUDENT') })).body.data.token;
    await enter(token);
    const ada = await enter(student);
    const roleOf = async (uid: string) =>
      (await people(roomId, '?connected=true')).participants.find((it: { uid: string }) => it.uid === uid)?.role;
    await eventually(async () => expect([await roleOf('ada'), await roleOf('teacher')]).toEqual(['STUDENT', 'TEACHER']));
    const change = (uid: string, role: string) => api.patch(`/v1/room/${roomId}/participants/${uid}`, { role });
    expect((await change('ada', 'TEACHER')).body.data).toEqual({ uid: 'ada', role: 'TEACHER' });
    expect((await change('teacher', 'STUDENT')).body.data).toEqual({ uid: 'teacher', role: 'STUDENT' });
    expect([(await change('ada', 'KING')).status, (await change('unknown', 'ADMIN')).body.error]).toEqual([400, 'PARTICIPANT_NOT_FOUND']);

    // LiveKit now lets her publish, although her token is a student's, and also after she reconnects with it. A refused publish is
    // only a timeout of 10 s, so the permission is awaited first.
    const isPublishAllowed = async () =>
      (await liveKitAdmin(stack).listParticipants(sid)).find(({ identity }) => identity === 'ada')?.permission?.canPublish;
    await eventually(async () => expect(await isPublishAllowed()).toBe(true));
    await ada.publishTone();
    await ada.leave();
    await eventually(async () => expect((await people(roomId, '?connected=true')).participants).toHaveLength(1));
    const again = await enter(student);
    await eventually(async () => expect(await isPublishAllowed()).toBe(true));
    await again.publishTone();
    await eventually(async () =>
      expect(
        (await api.get(`/v1/room/${roomId}/attendance`)).body.data.participants
          .map((it: { uid: string; role: string }) => `${it.uid} ${it.role}`)
          .sort(),
      ).toEqual(['ada TEACHER', 'teacher STUDENT']),
    );
    const session = (await api.bearer(token).post('/v1/classroom/session')).body.data;
    expect(session).toMatchObject({ participant: { role: 'STUDENT' }, permissions: { publish: false, endClass: false } });
    expect((await api.bearer(session.classroomToken).post('/v1/classroom/end')).body.error).toBe('FORBIDDEN');
  });

  it('let a backend remove a participant permanently, and mute', async () => {
    const { roomId, token } = await newRoom(api);
    const teacher = await enter(token);
    await teacher.publishTone();
    await eventually(async () => expect((await people(roomId, '?connected=true')).participants).toHaveLength(1));
    const mute = (body?: object) => api.post(`/v1/room/${roomId}/participants/teacher/mute`, body);
    await eventually(async () => expect((await mute()).body.data).toEqual({ uid: 'teacher', source: 'microphone', wasPublishing: true }));
    await eventually(async () => expect((await mute()).body.data.wasPublishing).toBe(false));
    expect((await mute({ source: 'nose' })).status).toBe(400);
    expect((await api.post(`/v1/room/${roomId}/participants/unknown/remove`)).body.error).toBe('PARTICIPANT_NOT_FOUND');
    expect((await api.post(`/v1/room/${roomId}/participants/teacher/remove`)).body.data).toEqual({ uid: 'teacher', wasConnected: true });
    await eventually(async () =>
      expect((await people(roomId)).participants[0]).toMatchObject({ isConnected: false, removedAt: expect.any(String) }),
    );
    expect((await api.bearer(token).post('/v1/classroom/session')).status).toBe(401);
    expect((await api.post(`/v1/room/${roomId}/join`, { participant: person('teacher') })).status).toBe(200);
  });
});

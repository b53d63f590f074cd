import { randomUUID } from 'node:crypto';
import { type ApiClient, eventually, liveKitAdmin, newOrganization, newRoom, person, RtcParticipant, TestStack } from '@classroom/testing';

/** What a backend can read and do with its rooms in addition to holding classes: paged lists, changes, the participants of a room. */
describe('an organization’s rooms', () => {
  let stack: TestStack;
  let api: ApiClient;

  beforeAll(async () => {
    stack = await TestStack.start({ apps: ['organization', 'room', 'gateway', 'billing'] });
  }, 120_000);
  beforeEach(async () => void ({ api } = await newOrganization(stack)));
  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await stack?.stop();
  }, 60_000);

  const list = async (query = '') => (await api.get(`/v1/rooms${query}`)).body.data;
  const idsOf = ({ rooms }: { rooms: { roomId: string }[] }) => rooms.map(({ roomId }) => roomId);
  const enter = async (token: string) => RtcParticipant.connect(stack.urls.livekitPublic, token);
  const people = async (roomId: string, query = '') => (await api.get(`/v1/room/${roomId}/participants${query}`)).body.data;

  it('are listed newest first, page by page, each once', async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n++) made.unshift((await newRoom(api, { title: `Class ${n}` })).roomId);
    const seen: string[] = [];
    let query = '?limit=2';
    for (let pages = 0; pages < 5; pages++) {
      const page = await list(query);
      seen.push(...idsOf(page));
      if (!page.nextCursor) break;
      query = `?limit=2&cursor=${page.nextCursor}`;
    }
    expect(seen).toEqual(made);
  });

  it('are found by status, title and day', async () => {
    const waiting = await newRoom(api, { title: 'Algebra I' });
    const live = await newRoom(api, { title: 'ALGEBRA 100%' });
    const over = await newRoom(api, { title: 'Biology' });
    await api.delete(`/v1/room/${over.roomId}`);
    await enter(live.token);
    await eventually(async () => expect(idsOf(await list('?status=live'))).toEqual([live.roomId]));
    expect((await list('?status=live')).rooms[0]).toMatchObject({ status: 'live', participantCount: 1, hasTeacher: true, endedAt: null });
    expect(idsOf(await list('?status=created'))).toEqual([waiting.roomId]);
    expect(idsOf(await list('?status=finished'))).toEqual([over.roomId]);
    expect(idsOf(await list('?title=algebra'))).toEqual([live.roomId, waiting.roomId]);
    expect(idsOf(await list('?title=0%25'))).toEqual([live.roomId]);
    const today = new Date().toISOString().slice(0, 10);
    expect(idsOf(await list(`?startDate=${today}&endDate=${today}`))).toHaveLength(3);
    expect(idsOf(await list('?endDate=2020-01-01'))).toEqual([]);
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

  it('can be changed before and during the class, and not after it', async () => {
    const { roomId, token } = await newRoom(api);
    const change = (body: object) => api.patch(`/v1/room/${roomId}`, body);
    expect((await change({ title: 'Geometry', settings: { emptyTimeout: 60 } })).body.data).toMatchObject({
      title: 'Geometry',
      emptyTimeout: 60,
      maxParticipants: 1000,
    });
    await enter(token);
    await eventually(async () =>
      expect((await api.get(`/v1/room/${roomId}/status`)).body.data).toMatchObject({ title: 'Geometry', isActive: true }),
    );
    expect((await change({ settings: { maxParticipants: 1 } })).status).toBe(200);
    const full = await api.post(`/v1/room/${roomId}/join`, { participant: person('late') });
    expect([full.status, full.body.error]).toEqual([409, 'ROOM_FULL']);
    expect((await change({})).status).toBe(400);
    expect((await change({ settings: { maxParticipants: 0 } })).body.details[0].path).toBe('settings.maxParticipants');
    await api.delete(`/v1/room/${roomId}`);
    expect((await change({ title: 'Late' })).body.error).toBe('ROOM_ENDED');
    expect((await api.patch(`/v1/room/${randomUUID()}`, { title: 'Nowhere' })).body.error).toBe('ROOM_NOT_FOUND');
  }, 60_000);

  it('show the participants who are present, who left, and who never joined', async () => {
    const { roomId, token } = await newRoom(api);
    const student = (await api.post(`/v1/room/${roomId}/join`, { participant: person('ada') })).body.data.token;
    await api.post(`/v1/room/${roomId}/join`, { participant: person('never', 'STUDENT') });
    await enter(token);
    const ada = await enter(student);
    await eventually(async () =>
      expect((await people(roomId, '?connected=true')).participants.map(({ uid }: { uid: string }) => uid)).toEqual(['ada', 'teacher']),
    );
    await ada.leave();
    await eventually(async () => expect((await people(roomId, '?connected=true')).participants).toHaveLength(1));
    const all = await people(roomId);
    expect(all).toMatchObject({
      nextCursor: null,
      participants: [
        { uid: 'ada', isConnected: false, joinedAt: expect.any(String), leftAt: expect.any(String), removedAt: null },
        { uid: 'never', role: 'STUDENT', isConnected: false, joinedAt: null, leftAt: null },
        { uid: 'teacher', role: 'TEACHER', isConnected: true, leftAt: null },
      ],
    });
    const first = await people(roomId, '?limit=2');
    expect((await people(roomId, `?limit=2&cursor=${first.nextCursor}`)).participants.map(({ uid }: { uid: string }) => uid)).toEqual([
      'teacher',
    ]);
    expect((await api.get(`/v1/room/${roomId}/participants?cursor=x`)).status).toBe(400);

    const one = (uid: string, room = roomId) => api.get(`/v1/room/${room}/participants/${uid}`);
    expect((await one('teacher')).body).toEqual({ success: true, message: 'Participant', data: all.participants[2] });
    expect((await one('never')).body.data).toMatchObject({ isConnected: false, joinedAt: null });
    expect((await one('stranger')).body.error).toBe('PARTICIPANT_NOT_FOUND');
    expect((await one('teacher', 'no-such-room')).body.error).toBe('ROOM_NOT_FOUND');
    expect((await one('EG_recorder')).status).toBe(400);
  }, 60_000);

  it('let a backend change a role permanently and immediately, whatever the token grants', async () => {
    const { roomId, token } = await newRoom(api);
    const student = (await api.post(`/v1/room/${roomId}/join`, { participant: person('ada', 'STUDENT') })).body.data.token;
    await enter(token);
    const ada = await enter(student);
    const roleOf = async (uid: string) =>
      (await people(roomId, '?connected=true')).participants.find((it: { uid: string }) => it.uid === uid)?.role;
    await eventually(async () => expect([await roleOf('ada'), await roleOf('teacher')]).toEqual(['STUDENT', 'TEACHER']));
    const change = (uid: string, role: string) => api.patch(`/v1/room/${roomId}/participants/${uid}`, { role });
    expect((await change('ada', 'TEACHER')).body.data).toEqual({ uid: 'ada', role: 'TEACHER' });
    expect((await change('teacher', 'STUDENT')).body.data).toEqual({ uid: 'teacher', role: 'STUDENT' });
    expect([(await change('ada', 'KING')).status, (await change('nobody', 'ADMIN')).body.error]).toEqual([400, 'PARTICIPANT_NOT_FOUND']);

    // LiveKit now lets her publish, although her token is a student's, and also after she reconnects with it.
    await eventually(() => ada.publishTone());
    await ada.leave();
    await eventually(async () => expect((await people(roomId, '?connected=true')).participants).toHaveLength(1));
    const again = await enter(student);
    await eventually(() => again.publishTone());
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
  }, 60_000);

  it('let a backend revoke a role with a new token, which also limits older ones', async () => {
    const { roomId, sid, token } = await newRoom(api);
    const inLiveKit = async () => (await liveKitAdmin(stack).listParticipants(sid))[0];
    const teacher = await enter(token);
    await teacher.publishTone();
    await eventually(async () => expect((await api.get(`/v1/room/${roomId}/status`)).body.data.hasTeacher).toBe(true));
    expect((await api.post(`/v1/room/${roomId}/join`, { participant: person('teacher', 'STUDENT') })).status).toBe(200);
    await eventually(async () =>
      expect(await inLiveKit()).toMatchObject({ permission: { canPublish: false }, tracks: [], attributes: { role: 'STUDENT' } }),
    );
    expect((await api.get(`/v1/room/${roomId}/status`)).body.data.hasTeacher).toBe(false);

    await teacher.leave();
    await enter(token);
    await eventually(async () =>
      expect(await inLiveKit()).toMatchObject({ permission: { canPublish: false }, attributes: { role: 'STUDENT' } }),
    );
    await eventually(async () =>
      expect((await people(roomId, '?connected=true')).participants).toMatchObject([{ uid: 'teacher', role: 'STUDENT' }]),
    );
    expect((await api.get(`/v1/room/${roomId}/status`)).body.data.hasTeacher).toBe(false);
  }, 60_000);

  it('let a backend remove a participant permanently, and mute', async () => {
    const { roomId, token } = await newRoom(api);
    const teacher = await enter(token);
    await teacher.publishTone();
    await eventually(async () => expect((await people(roomId, '?connected=true')).participants).toHaveLength(1));
    const mute = (body?: object) => api.post(`/v1/room/${roomId}/participants/teacher/mute`, body);
    await eventually(async () => expect((await mute()).body.data).toEqual({ uid: 'teacher', source: 'microphone', wasPublishing: true }));
    await eventually(async () => expect((await mute()).body.data.wasPublishing).toBe(false));
    expect((await mute({ source: 'nose' })).status).toBe(400);
    expect((await api.post(`/v1/room/${roomId}/participants/nobody/remove`)).body.error).toBe('PARTICIPANT_NOT_FOUND');
    expect((await api.post(`/v1/room/${roomId}/participants/teacher/remove`)).body.data).toEqual({ uid: 'teacher', wasConnected: true });
    await eventually(async () =>
      expect((await people(roomId)).participants[0]).toMatchObject({ isConnected: false, removedAt: expect.any(String) }),
    );
    expect((await api.bearer(token).post('/v1/classroom/session')).status).toBe(401);
    expect((await api.post(`/v1/room/${roomId}/join`, { participant: person('teacher') })).status).toBe(200);
  }, 60_000);
});

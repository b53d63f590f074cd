import { randomUUID } from 'node:crypto';
import {
  ApiClient,
  eventually,
  newOrganization,
  newRoom,
  person,
  RtcParticipant,
  type RunningStack,
  sharedStack,
} from '@classroom/testing';

/** A class from its creation to its end, with real participants in a real LiveKit room. */
describe('a class', () => {
  let stack: RunningStack;
  let api: ApiClient;

  beforeAll(async () => {
    stack = await sharedStack();
    ({ api } = await newOrganization(stack));
  });

  afterAll(() => RtcParticipant.disposeAll());

  const status = async (roomId: string) => (await api.get(`/v1/room/${roomId}/status`)).body.data;
  const connect = (token: string) => RtcParticipant.connect(stack.urls.livekitPublic, token);
  const join = async (roomId: string, uid: string, role: string): Promise<string> =>
    (await api.post(`/v1/room/${roomId}/join`, { participant: person(uid, role) })).body.data.token;

  it('lets the teacher publish and the student receive but not publish, and disconnects all participants at its end', async () => {
    const mark = randomUUID();
    const marked = (uid: string, role?: string) => ({ ...person(uid, role), uid: `${uid}-${mark}`, name: `Ada ${mark}` });
    const { roomId, token } = await newRoom(api, { title: 'Algebra', participant: marked('teacher') });
    expect(await status(roomId)).toMatchObject({ exists: true, isActive: false, participantCount: 0, startedAt: null, title: 'Algebra' });

    const teacher = await connect(token);
    await teacher.publish();
    const joined = await api.post(`/v1/room/${roomId}/join`, { participant: marked('student', 'STUDENT') });
    const student = await connect(joined.body.data.token);
    await expect(student.publish()).rejects.toThrow();
    await eventually(() => {
      expect(student.received.video).toBeGreaterThan(10);
      expect(student.received.audio).toBeGreaterThan(50);
    });
    await eventually(async () => {
      expect(await status(roomId)).toMatchObject({ isActive: true, participantCount: 2, hasTeacher: true, isRecording: false });
    });
    expect((await status(roomId)).startedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

    const ended = await api.delete(`/v1/room/${roomId}`);
    expect(ended.status).toBe(200);
    expect(ended.body.data).toMatchObject({ roomId, participantsDisconnected: 2, wasRecording: false });
    await eventually(() => {
      expect(teacher.disconnected).toBe(true);
      expect(student.disconnected).toBe(true);
    });
    expect(await status(roomId)).toMatchObject({ exists: true, isActive: false, participantCount: 0 });
    expect((await api.delete(`/v1/room/${roomId}`)).body).toMatchObject({
      success: false,
      error: 'ROOM_ENDED',
      message: 'Room already ended',
    });
    expect((await api.post(`/v1/room/${roomId}/join`, { participant: person('late') })).status).toBe(410);
    // The old token can't create the room again, and no other request can use its id again.
    await expect(connect(token)).rejects.toThrow();
    expect((await api.post('/v1/room/create', { roomId, title: 'Again', participant: person('teacher') })).status).toBe(409);
    expect(stack.log('livekit')).not.toContain(mark);
  });

  it('answers a repeated creation also after its end, with a token that opens nothing', async () => {
    const creation = { roomId: `room-${randomUUID()}`, title: 'Algebra', participant: person('teacher') };
    const create = () => api.with({ 'Idempotency-Key': creation.roomId }).post('/v1/room/create', creation);
    const { room } = (await create()).body.data;
    await api.delete(`/v1/room/${creation.roomId}`);

    const repeated = await create();
    expect([repeated.status, repeated.body.data.room]).toEqual([200, room]);
    const { token } = repeated.body.data as { token: string };
    const session = await api.bearer(token).post('/v1/classroom/session');
    expect([session.status, session.body.error]).toEqual([410, 'ROOM_ENDED']);
    await expect(connect(token)).rejects.toThrow();
    expect(await status(creation.roomId)).toMatchObject({ exists: true, isActive: false, participantCount: 0 });
    expect((await api.delete(`/v1/room/${creation.roomId}`)).status).toBe(410);
  });

  it('gives the page a session, and lets the teacher remove a student permanently and end the class', async () => {
    const { roomId, token } = await newRoom(api, { customization: { theme: 'sepia', showLobby: false } });
    const studentToken = await join(roomId, 'student', 'STUDENT');
    const session = await api.bearer(token).post('/v1/classroom/session');
    expect(session.status).toBe(200);
    expect(session.body.data).toMatchObject({
      livekitUrl: stack.urls.livekitPublic,
      room: { roomId, title: 'Test class', customization: { theme: 'auto', showLobby: false, showVideoControls: true } },
      participant: { uid: 'teacher', role: 'TEACHER', photoURL: null },
      permissions: { publish: true, endClass: true },
      branding: { logoUrl: null },
    });
    expect(JSON.stringify(session.body)).not.toContain('org_');
    const asTeacher = api.bearer(session.body.data.classroomToken);
    const asStudent = api.bearer((await api.bearer(studentToken).post('/v1/classroom/session')).body.data.classroomToken);

    const teacher = await connect(session.body.data.livekitToken);
    const student = await connect(studentToken);
    await eventually(async () => expect(await status(roomId)).toMatchObject({ participantCount: 2 }));

    expect((await asStudent.post('/v1/classroom/end')).body).toMatchObject({ error: 'FORBIDDEN' });
    expect((await asStudent.post('/v1/classroom/participants/teacher/remove')).status).toBe(403);
    expect((await asTeacher.post('/v1/classroom/participants/unknown/remove')).status).toBe(404);
    const removed = await asTeacher.post('/v1/classroom/participants/student/remove');
    expect(removed.body.data).toEqual({ uid: 'student', wasConnected: true });
    await eventually(() => expect(student.disconnected).toBe(true));

    // The old join token opens no session. LiveKit does not revoke tokens, so it accepts the connection, but only for a moment.
    expect((await api.bearer(studentToken).post('/v1/classroom/session')).status).toBe(401);
    expect((await asStudent.post('/v1/classroom/session')).status).toBe(401);
    const back = await connect(studentToken).catch(() => undefined);
    await eventually(() => expect(back === undefined || back.disconnected).toBe(true));
    await eventually(async () => expect(await status(roomId)).toMatchObject({ participantCount: 1 }));

    // The backend may admit the participant again.
    const reconnected = await connect(await join(roomId, 'student', 'STUDENT'));
    await eventually(async () => expect(await status(roomId)).toMatchObject({ participantCount: 2 }));

    const ended = await asTeacher.post('/v1/classroom/end');
    expect(ended.body.data).toMatchObject({ roomId, participantsDisconnected: 2 });
    await eventually(() => expect([teacher.disconnected, reconnected.disconnected]).toEqual([true, true]));
    expect((await asTeacher.post('/v1/classroom/end')).status).toBe(410);
  });
});

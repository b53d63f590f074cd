import { TrackSource } from 'livekit-server-sdk';
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

/** Permissions as backends and participants see them, with a real LiveKit. */
describe('permissions', () => {
  let stack: RunningStack;
  let api: ApiClient;

  beforeAll(async () => {
    stack = await sharedStack();
    ({ api } = await newOrganization(stack));
  });
  afterAll(() => RtcParticipant.disposeAll());

  const join = async (roomId: string, uid: string, role: string, permissions?: object) =>
    (await api.post(`/v1/room/${roomId}/join`, { participant: { ...person(uid, role), permissions } })).body.data.token as string;
  const enter = (token: string) => enterWithToken(stack, api, token);
  const sourcesOf = async (sid: string, uid: string) => {
    const found = (await liveKitAdmin(stack).listParticipants(sid)).find(({ identity }) => identity === uid);
    return found?.tracks.map(({ source }) => source).sort();
  };

  it('of a participant hold in LiveKit: who may not publish video cannot', async () => {
    const { roomId, sid } = await newRoom(api);
    const teacher = await enter(await join(roomId, 'tina', 'TEACHER', { publishVideo: false }));
    expect(teacher.session.permissions).toMatchObject({ publish: false, publishAudio: true, publishVideo: false, endClass: true });
    await teacher.rtc.publishTone();
    await expect(teacher.rtc.publishPicture()).rejects.toThrow();
    expect(await sourcesOf(sid, 'tina')).toEqual([TrackSource.MICROPHONE]);
    // A client that uses the join token alone gets no more.
    const alone = await RtcParticipant.connect(stack.urls.livekitPublic, await join(roomId, 'sam', 'STUDENT', { publishVideo: true }));
    await alone.publishPicture();
    await expect(alone.publishTone()).rejects.toThrow();
    expect(await sourcesOf(sid, 'sam')).toEqual([TrackSource.CAMERA]);
  });

  it('of a room apply at once to who is in class, in LiveKit and in the API', async () => {
    const { roomId, sid, token } = await newRoom(api, { settings: { permissions: { STUDENT: { raiseHand: false } } } });
    const teacher = await enter(token);
    const student = await enter(await join(roomId, 'ada', 'STUDENT'));
    await teacher.rtc.publish();
    const hand = () => student.inClass.post('/v1/classroom/hand', { raised: true });
    expect(await hand()).toMatchObject({ status: 403, body: { error: 'FORBIDDEN' } });
    const change = (permissions: object) => api.patch(`/v1/room/${roomId}`, { settings: { permissions } });
    const rules = { STUDENT: { react: false, publishAudio: true }, TEACHER: { publishVideo: false } };
    const changed = await change({ ...rules, STUDENT: { ...rules.STUDENT, raiseHand: null } });
    expect(changed).toMatchObject({ status: 200, body: { data: { permissions: rules } } });
    expect((await hand()).status).toBe(200);
    expect(await student.inClass.post('/v1/classroom/reactions', { emoji: '👍' })).toMatchObject({ status: 403 });
    await eventually(async () => expect(await sourcesOf(sid, 'teacher')).toEqual([TrackSource.MICROPHONE]));
    await eventually(() => student.rtc.publishTone());
    await eventually(async () => expect(await sourcesOf(sid, 'ada')).toEqual([TrackSource.MICROPHONE]));
    await change({ STUDENT: { publishAudio: null } });
    await eventually(async () => expect(await sourcesOf(sid, 'ada')).toEqual([]));
    expect((await api.get(`/v1/room/${roomId}`)).body.data.settings.permissions).toEqual({ ...rules, STUDENT: { react: false } });
  });

  it('are set by the backend alone', async () => {
    const { roomId } = await newRoom(api);
    const admin = await enter(await join(roomId, 'boss', 'ADMIN'));
    // In class, only few of what students may do can be changed.
    const rules = { STUDENT: { answerPolls: false } };
    const answer = await admin.inClass.patch('/v1/classroom/room', { title: 'New', settings: { permissions: rules } });
    expect([answer.status, answer.body.warnings]).toEqual([
      200,
      [expect.objectContaining({ path: 'settings.permissions.STUDENT.answerPolls' })],
    ]);
    expect((await api.get(`/v1/room/${roomId}`)).body.data.settings.permissions).toEqual({});
    const wrong = await api.patch(`/v1/room/${roomId}`, { settings: { permissions: { STUDENT: { chat: 'no' } } } });
    expect(wrong).toMatchObject({ status: 400, body: { details: [{ path: 'settings.permissions.STUDENT.chat' }] } });
    const { api: stranger } = await newOrganization(stack);
    expect((await stranger.patch(`/v1/room/${roomId}`, { settings: { permissions: rules } })).status).toBe(404);
  });
});

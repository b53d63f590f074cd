import { RoomEvent } from '@livekit/rtc-node';
import { TrackSource } from 'livekit-server-sdk';
import type { ClassState, ClassUpdate } from '@classroom/contracts';
import {
  ApiClient,
  eventually,
  liveKitAdmin,
  newOrganization,
  newRoom,
  person,
  RtcParticipant,
  type RunningStack,
  sharedStack,
} from '@classroom/testing';

/** Hands, polls, chat, reactions and moderation: requested over HTTP as the page does, and delivered over a real LiveKit. */
describe('the interaction in a class', () => {
  let stack: RunningStack;
  let api: ApiClient;

  beforeAll(async () => {
    stack = await sharedStack();
    ({ api } = await newOrganization(stack));
  });

  afterAll(() => RtcParticipant.disposeAll());

  interface Member {
    uid: string;
    api: ApiClient;
    rtc: RtcParticipant;
    /** Updates that LiveKit delivered from the server, in order. */
    updates: ClassUpdate[];
  }

  async function enter(roomId: string, uid: string, role: string): Promise<Member> {
    const { token } = (await api.post(`/v1/room/${roomId}/join`, { participant: person(uid, role) })).body.data;
    const session = (await api.bearer(token).post('/v1/classroom/session')).body.data;
    const rtc = await RtcParticipant.connect(stack.urls.livekitPublic, session.livekitToken);
    const updates: ClassUpdate[] = [];
    rtc.room.on(RoomEvent.DataReceived, (payload, participant, _kind, topic) => {
      if (topic === 'class' && !participant) updates.push(JSON.parse(Buffer.from(payload).toString()) as ClassUpdate);
    });
    return { uid, api: api.bearer(session.classroomToken), rtc, updates };
  }

  async function classOf(...members: [string, string][]) {
    const room = await newRoom(api);
    const people: Member[] = [];
    for (const [uid, role] of members) people.push(await enter(room.roomId, uid, role));
    return { ...room, people };
  }

  const stateOf = async (member: Member, after = 0): Promise<ClassState> =>
    (await member.api.get(`/v1/classroom/state?after=${after}`)).body.data;
  const inLiveKit = async (sid: string, uid: string) =>
    (await liveKitAdmin(stack).listParticipants(sid)).find(({ identity }) => identity === uid);
  const received = <T>(member: Member, pick: (update: ClassUpdate) => T | undefined): T[] =>
    member.updates.map(pick).filter((part) => part !== undefined);

  it('delivers hands, chat, polls, reactions and removals to the participants, and answers their requests over HTTP', async () => {
    const { roomId, people } = await classOf(['t', 'TEACHER'], ['a', 'STUDENT'], ['b', 'STUDENT']);
    const [teacher, a, b] = people as [Member, Member, Member];
    const raised = await a.api.post('/v1/classroom/hand', { raised: true });
    expect([raised.status, raised.body.message, raised.body.data.hands]).toMatchObject([
      200,
      'Hand raised',
      [{ uid: 'a', name: 'Name of a' }],
    ]);
    const { data: message } = (await teacher.api.post('/v1/classroom/chat', { text: 'Hello <b>all</b> 👋' })).body;
    const { pollId } = (await teacher.api.post('/v1/classroom/polls', { question: 'Ready?', options: ['Yes', 'No'] })).body.data;
    expect((await a.api.post(`/v1/classroom/polls/${pollId}/vote`, { option: 1 })).body.data).toMatchObject({ poll: { totalVotes: 1 } });
    await b.api.post('/v1/classroom/reactions', { emoji: '👏' });
    await eventually(() => {
      expect(received(b, ({ hands }) => hands?.[0]?.uid)).toContain('a');
      expect(received(a, ({ messages }) => messages?.[0])).toContainEqual(message);
      expect(received(teacher, ({ polls }) => polls?.[0]?.totalVotes).at(-1)).toBe(1);
      expect(received(a, ({ reactions }) => reactions?.[0]?.emoji)).toContain('👏');
    });
    expect(await stateOf(b)).toMatchObject({ hands: [{ uid: 'a' }], messages: [message], polls: [{ pollId }] });
    expect((await b.api.get('/v1/classroom/chat?limit=1')).body.data).toEqual({ messages: [message], hasMore: false });
    await teacher.api.post('/v1/classroom/participants/a/remove');
    await eventually(() => expect(received(b, ({ removals }) => removals?.[0]?.uid)).toEqual(['a']));
    expect((await api.get(`/v1/room/${roomId}/polls`)).body.data).toMatchObject([{ pollId, votes: [{ uid: 'a', option: 1 }] }]);
  });

  it('refuses with the status of the error and the name of the field', async () => {
    const { roomId, people } = await classOf(['t', 'TEACHER'], ['a', 'STUDENT']);
    const [teacher, a] = people as [Member, Member];
    const refusal = async (answer: Promise<{ status: number; body: { error: string; details?: { path: string }[] } }>) => {
      const { status, body } = await answer;
      return [status, body.error, ...(body.details ?? []).map(({ path }) => path)];
    };
    expect(await refusal(a.api.post('/v1/classroom/hand', { raised: 'yes' }))).toEqual([400, 'VALIDATION_FAILED', 'raised']);
    expect(await refusal(a.api.post('/v1/classroom/chat', { text: 'read \u202Esdrawkcab' }))).toEqual([400, 'VALIDATION_FAILED', 'text']);
    expect(await refusal(a.api.get('/v1/classroom/chat?limit=0'))).toEqual([400, 'VALIDATION_FAILED', 'limit']);
    expect(await refusal(teacher.api.post('/v1/classroom/polls/nope/close'))).toEqual([400, 'VALIDATION_FAILED', 'pollId']);
    expect(await refusal(a.api.post('/v1/classroom/hands/lower-all'))).toEqual([403, 'FORBIDDEN']);
    expect(await refusal(teacher.api.post('/v1/classroom/participants/unknown/lower-hand'))).toEqual([404, 'PARTICIPANT_NOT_FOUND']);
    for (let n = 0; n < 10; n++) await a.api.post('/v1/classroom/chat', { text: `${n}` });
    expect(await refusal(a.api.post('/v1/classroom/chat', { text: 'one more' }))).toEqual([429, 'RATE_LIMITED', 'retryAfter']);
    await api.delete(`/v1/room/${roomId}`);
    expect(await refusal(a.api.get('/v1/classroom/state'))).toEqual([410, 'ROOM_ENDED', 'reason']);
  });

  it('grants and revokes a student’s permission to speak, in the rows and in LiveKit, whatever token is used', async () => {
    const { roomId, sid, people } = await classOf(['t', 'TEACHER'], ['a', 'STUDENT'], ['m', 'MODERATOR']);
    const [teacher, a, moderator] = people as [Member, Member, Member];
    const speak = (member: Member, uid: string, allowed: boolean) =>
      member.api.post(`/v1/classroom/participants/${uid}/speak`, { allowed });
    expect((await inLiveKit(sid, 'a'))?.permission?.canPublish).toBe(false);
    expect((await speak(a, 'a', true)).body.error).toBe('FORBIDDEN');
    expect((await speak(moderator, 't', true)).body.error).toBe('VALIDATION_FAILED');
    await a.api.post('/v1/classroom/hand', { raised: true });
    expect((await speak(moderator, 'a', true)).body.data.speakers).toMatchObject([{ uid: 'a', allowedBy: 'Name of m' }]);
    await eventually(() => expect(received(a, ({ speakers }) => speakers?.length).at(-1)).toBe(1));
    // Allowing a participant to speak lowers their hand.
    expect((await stateOf(a)).hands).toEqual([]);
    await eventually(async () => expect((await inLiveKit(sid, 'a'))?.permission?.canPublish).toBe(true));
    await a.rtc.publishTone();
    await eventually(() => expect(teacher.rtc.received.audio).toBeGreaterThan(20));
    expect((await inLiveKit(sid, 'a'))?.permission?.canPublishSources).toEqual([TrackSource.MICROPHONE]);

    // Muted by the teacher, who can't unmute them.
    expect((await teacher.api.post('/v1/classroom/participants/a/mute', {})).body.data).toEqual({
      uid: 'a',
      source: 'microphone',
      wasPublishing: true,
    });
    expect((await teacher.api.post('/v1/classroom/participants/a/mute', { source: 'camera' })).body.data.wasPublishing).toBe(false);
    expect((await a.api.post('/v1/classroom/participants/t/mute', {})).body.error).toBe('FORBIDDEN');
    expect((await teacher.api.post('/v1/classroom/mute-all')).body.data.muted).toEqual([]);

    await speak(teacher, 'a', false);
    await eventually(async () => expect(await inLiveKit(sid, 'a')).toMatchObject({ permission: { canPublish: false }, tracks: [] }));
    // A token from the time when speaking was allowed still connects, but does not allow a microphone.
    await speak(teacher, 'a', true);
    const session = (await a.api.post('/v1/classroom/session')).body.data;
    await speak(teacher, 'a', false);
    await RtcParticipant.connect(stack.urls.livekitPublic, session.livekitToken);
    await eventually(async () => expect((await inLiveKit(sid, 'a'))?.permission?.canPublish).toBe(false));
    expect((await api.get(`/v1/room/${roomId}/status`)).body.data.participantCount).toBe(3);
  });

  it('accepts more participants after an ADMIN raised the limit', async () => {
    const room = await newRoom(api, { settings: { maxParticipants: 1 }, participant: person('boss', 'ADMIN') });
    const boss = await enter(room.roomId, 'boss', 'ADMIN');
    await eventually(async () => {
      expect((await api.post(`/v1/room/${room.roomId}/join`, { participant: person('a', 'STUDENT') })).body.error).toBe('ROOM_FULL');
    });
    expect((await boss.api.patch('/v1/classroom/room', { settings: { maxParticipants: 2 } })).status).toBe(200);
    await enter(room.roomId, 'boss', 'ADMIN');
    await enter(room.roomId, 'a', 'STUDENT');
    await eventually(async () => expect((await api.get(`/v1/room/${room.roomId}/status`)).body.data.participantCount).toBe(2));
  });
});

import { randomUUID } from 'node:crypto';
import { RoomEvent } from '@livekit/rtc-node';
import { TrackSource } from 'livekit-server-sdk';
import type { ClassState, ClassUpdate } from '@classroom/contracts';
import { ApiClient, eventually, liveKitAdmin, newOrganization, newRoom, person, RtcParticipant, TestStack } from '@classroom/testing';

/** Hands, polls, chat, reactions and moderation: requested over HTTP as the page does, and delivered over a real LiveKit. */
describe('the interaction in a class', () => {
  let stack: TestStack;
  let api: ApiClient;

  beforeAll(async () => {
    stack = await TestStack.start();
    ({ api } = await newOrganization(stack));
  }, 120_000);

  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await stack?.stop();
  }, 60_000);

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
  const told = <T>(member: Member, pick: (update: ClassUpdate) => T | undefined): T[] =>
    member.updates.map(pick).filter((part) => part !== undefined);

  it('keeps hands in the order in which they were raised, and sends them to all participants', async () => {
    const { people } = await classOf(['t', 'TEACHER'], ['a', 'STUDENT'], ['b', 'STUDENT']);
    const [teacher, a, b] = people as [Member, Member, Member];
    await b.api.post('/v1/classroom/hand', { raised: true });
    await a.api.post('/v1/classroom/hand', { raised: true });
    // Raising it again keeps its place.
    const again = await b.api.post('/v1/classroom/hand', { raised: true });
    expect(again.body.data.hands.map(({ uid }: { uid: string }) => uid)).toEqual(['b', 'a']);
    await eventually(() => expect(told(teacher, ({ hands }) => hands?.map(({ uid }) => uid)).at(-1)).toEqual(['b', 'a']));

    expect((await a.api.post('/v1/classroom/participants/b/lower-hand')).body.error).toBe('FORBIDDEN');
    expect((await a.api.post('/v1/classroom/hands/lower-all')).body.error).toBe('FORBIDDEN');
    expect((await teacher.api.post('/v1/classroom/participants/nobody/lower-hand')).body.error).toBe('PARTICIPANT_NOT_FOUND');
    expect((await teacher.api.post('/v1/classroom/participants/b/lower-hand')).body.data.hands).toMatchObject([
      { uid: 'a', name: 'Name of a' },
    ]);
    await teacher.api.post('/v1/classroom/hands/lower-all');
    expect((await stateOf(a)).hands).toEqual([]);
    expect((await a.api.post('/v1/classroom/hand', { raised: 'yes' })).body).toMatchObject({
      error: 'VALIDATION_FAILED',
      details: [{ path: 'raised' }],
    });
  }, 60_000);

  it('counts one vote for each participant, live, closes polls, and reports them to the backend, also after the class', async () => {
    const { roomId, people } = await classOf(['t', 'TEACHER'], ['a', 'STUDENT'], ['b', 'STUDENT']);
    const [teacher, a, b] = people as [Member, Member, Member];
    const question = { question: 'Ready?', options: ['Yes', 'No'] };
    expect((await a.api.post('/v1/classroom/polls', question)).body.error).toBe('FORBIDDEN');
    expect((await teacher.api.post('/v1/classroom/polls', { question: 'One?', options: ['only'] })).status).toBe(400);
    const { pollId } = (await teacher.api.post('/v1/classroom/polls', question)).body.data;
    const vote = (member: Member, option: number) => member.api.post(`/v1/classroom/polls/${pollId}/vote`, { option });

    // 16 concurrent votes of one participant: one is counted, and voting for the same option again is no error.
    const attempts = await Promise.all(Array.from({ length: 16 }, (_, i) => vote(a, i % 2)));
    const refused = attempts.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(8);
    expect(refused[0]?.body.error).toBe('ALREADY_VOTED');
    expect((await vote(b, 0)).body.data).toMatchObject({ option: 0, poll: { totalVotes: 2 } });
    expect((await vote(b, 5)).body.error).toBe('VALIDATION_FAILED');
    await eventually(() => expect(told(teacher, ({ polls }) => polls?.[0]?.totalVotes).at(-1)).toBe(2));
    expect(Object.keys((await stateOf(a)).ownVotes)).toEqual([pollId]);

    expect((await b.api.post(`/v1/classroom/polls/${pollId}/close`)).body.error).toBe('FORBIDDEN');
    expect((await teacher.api.post(`/v1/classroom/polls/${pollId}/close`)).body.data).toMatchObject({ status: 'closed', totalVotes: 2 });
    expect((await vote(teacher, 1)).body.error).toBe('POLL_CLOSED');
    expect((await vote(b, 0)).status).toBe(200);
    expect((await teacher.api.post(`/v1/classroom/polls/${randomUUID()}/close`)).body.error).toBe('POLL_NOT_FOUND');
    expect((await teacher.api.post('/v1/classroom/polls/nope/close')).body.error).toBe('VALIDATION_FAILED');

    await api.delete(`/v1/room/${roomId}`);
    const report = await api.get(`/v1/room/${roomId}/polls`);
    expect(report.body.data).toMatchObject([{ pollId, question: 'Ready?', totalVotes: 2, status: 'closed' }]);
    expect(report.body.data[0].votes.map(({ uid }: { uid: string }) => uid).sort()).toEqual(['a', 'b']);
    expect((await api.get('/v1/room/never/polls')).body.error).toBe('ROOM_NOT_FOUND');
    const late = await a.api.get('/v1/classroom/state');
    expect(late.body).toMatchObject({ error: 'ROOM_ENDED', details: [{ path: 'reason', message: 'deleted' }] });
  }, 60_000);

  it('keeps each chat message once for late participants, also after a restart of the service', async () => {
    const { roomId, people } = await classOf(['t', 'TEACHER'], ['a', 'STUDENT']);
    const [teacher, a] = people as [Member, Member];
    const id = randomUUID();
    const first = await teacher.api.post('/v1/classroom/chat', { text: 'Hello <b>all</b> 👋', id });
    expect(first.body.data).toMatchObject({ id, uid: 't', role: 'TEACHER', text: 'Hello <b>all</b> 👋' });
    expect((await teacher.api.post('/v1/classroom/chat', { text: 'Hello again', id })).body.data).toEqual(first.body.data);
    expect((await a.api.post('/v1/classroom/chat', { text: 'Stolen', id })).body.error).toBe('VALIDATION_FAILED');
    await eventually(() => expect(told(a, ({ messages }) => messages?.[0]?.text)).toContain('Hello <b>all</b> 👋'));
    expect((await a.api.post('/v1/classroom/chat', { text: ' ' })).status).toBe(400);
    expect((await a.api.post('/v1/classroom/chat', { text: 'x'.repeat(2001) })).status).toBe(400);
    const flood = await Promise.all(Array.from({ length: 14 }, (_, i) => a.api.post('/v1/classroom/chat', { text: `${i}` })));
    expect(flood.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(flood.find(({ status }) => status !== 200)?.body.error).toBe('RATE_LIMITED');

    await stack.app('room').restart();
    const late = await enter(roomId, 'late', 'STUDENT');
    const { messages } = await stateOf(late);
    expect(messages).toHaveLength(11);
    expect(messages?.[0]).toEqual(first.body.data);
    const older = await late.api.get(`/v1/classroom/chat?before=${messages?.at(-1)?.version}&limit=4`);
    expect(older.body.data).toMatchObject({ hasMore: true });
    expect(older.body.data.messages).toEqual(messages?.slice(6, 10));
    expect((await late.api.get('/v1/classroom/chat?limit=0')).status).toBe(400);
  }, 90_000);

  it('returns as many of the longest chat messages as fit, and the others page by page', async () => {
    const { sid, people } = await classOf(['a', 'STUDENT']);
    const [member] = people as [Member];
    // Characters of four and six bytes in JSON. As many messages as one answer contains.
    await stack.rows(
      `INSERT INTO room.chat_messages (sid, version, id, uid, name, role, text, sent_at)
       SELECT $1, n, gen_random_uuid(), 'a', 'Ada', 'STUDENT', repeat(CASE WHEN n % 2 = 0 THEN '😀' ELSE chr(1) END, 2000), now() FROM generate_series(2, 201) n`,
      [sid],
    );
    await stack.rows('UPDATE room.rooms SET class_version = 201, chat_version = 201 WHERE sid = $1', [sid]);
    const { messages = [], hasOlderMessages } = await stateOf(member);
    expect([messages.at(-1)?.version, hasOlderMessages]).toEqual([201, true]);
    const seen = messages.map(({ version }) => version);
    for (let hasMore = true; hasMore;) {
      const { body } = await member.api.get(`/v1/classroom/chat?limit=200&before=${seen[0]}`);
      seen.unshift(...(body.data.messages as ClassState['messages'] & object).map(({ version }) => version));
      ({ hasMore } = body.data);
    }
    expect(seen).toEqual(Array.from({ length: 200 }, (_, n) => n + 2));
    expect((await member.api.post('/v1/classroom/chat', { text: 'read \u202Esdrawkcab' })).body).toMatchObject({
      error: 'VALIDATION_FAILED',
      details: [{ path: 'text' }],
    });
  }, 60_000);

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
    await eventually(() => expect(told(a, ({ speakers }) => speakers?.length).at(-1)).toBe(1));
    // Allowing a participant to speak lowers their hand.
    expect((await stateOf(a)).hands).toEqual([]);
    await eventually(async () => expect((await inLiveKit(sid, 'a'))?.permission?.canPublish).toBe(true));
    await a.rtc.publishTone();
    await eventually(() => expect(teacher.rtc.received.audio).toBeGreaterThan(20), 15_000);
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
    await eventually(async () => expect((await inLiveKit(sid, 'a'))?.permission?.canPublish).toBe(false), 15_000);
    expect((await api.get(`/v1/room/${roomId}/status`)).body.data.participantCount).toBe(3);
  }, 90_000);

  it('reports a removal to the other participants, and lowers the removed participant’s hand', async () => {
    const { people } = await classOf(['t', 'TEACHER'], ['a', 'STUDENT'], ['b', 'STUDENT']);
    const [teacher, a, b] = people as [Member, Member, Member];
    await a.api.post('/v1/classroom/hand', { raised: true });
    await teacher.api.post('/v1/classroom/participants/a/remove');
    await eventually(() =>
      expect(told(b, ({ removals }) => removals?.[0]).at(-1)).toMatchObject({ uid: 'a', name: 'Name of a', role: 'STUDENT' }),
    );
    expect((await stateOf(b)).hands).toEqual([]);
    expect((await stateOf(b)).removals).toBeUndefined();
    expect((await a.api.get('/v1/classroom/state')).status).toBe(401);
  }, 60_000);

  it('returns the changes after a version, and reactions only while they are shown', async () => {
    const { people } = await classOf(['t', 'TEACHER'], ['a', 'STUDENT']);
    const [teacher, a] = people as [Member, Member];
    const { version } = await stateOf(a);
    expect(await stateOf(a, version)).toEqual({ base: version, version, ownVotes: {} });
    await teacher.api.post('/v1/classroom/reactions', { emoji: '👏' });
    const next = await stateOf(a, version);
    expect(next).toMatchObject({ base: version, version: version + 1, reactions: [{ uid: 't', emoji: '👏' }] });
    expect(next.hands).toBeUndefined();
    expect((await a.api.post('/v1/classroom/reactions', { emoji: '🦄' })).status).toBe(400);
    await eventually(() => expect(told(a, ({ reactions }) => reactions?.[0]?.emoji)).toEqual(['👏']));
    const versions = a.updates.map(({ base, version }) => [base, version]);
    expect(versions.every(([base = 0, version = 0]) => base < version)).toBe(true);
  }, 60_000);

  it('lets an ADMIN change title, description and limits, which take effect', async () => {
    const { roomId, people } = await classOf(['boss', 'ADMIN'], ['a', 'STUDENT']);
    const [boss, a] = people as [Member, Member];
    expect((await a.api.patch('/v1/classroom/room', { title: 'Mine' })).body.error).toBe('FORBIDDEN');
    expect((await boss.api.patch('/v1/classroom/room', {})).status).toBe(400);
    expect((await boss.api.patch('/v1/classroom/room', { settings: { maxParticipants: 0 } })).body.details).toMatchObject([
      { path: 'settings.maxParticipants' },
    ]);
    const changed = await boss.api.patch('/v1/classroom/room', {
      title: 'New title',
      roomDescription: 'What it is about',
      settings: { maxParticipants: 2, emptyTimeout: 60 },
    });
    expect(changed.body.data).toEqual({ title: 'New title', roomDescription: 'What it is about', maxParticipants: 2, emptyTimeout: 60 });
    await eventually(() => expect(told(a, ({ room }) => room?.title)).toContain('New title'));
    expect((await api.get(`/v1/room/${roomId}/status`)).body.data.title).toBe('New title');
    await eventually(async () => expect((await api.get(`/v1/room/${roomId}/status`)).body.data.participantCount).toBe(2));
    expect((await api.post(`/v1/room/${roomId}/join`, { participant: person('c', 'STUDENT') })).body.error).toBe('ROOM_FULL');
  }, 60_000);

  it('accepts more participants after the limit was raised', async () => {
    const room = await newRoom(api, { settings: { maxParticipants: 1 }, participant: person('boss', 'ADMIN') });
    const boss = await enter(room.roomId, 'boss', 'ADMIN');
    await eventually(async () => {
      expect((await api.post(`/v1/room/${room.roomId}/join`, { participant: person('a', 'STUDENT') })).body.error).toBe('ROOM_FULL');
    });
    expect((await boss.api.patch('/v1/classroom/room', { settings: { maxParticipants: 3 } })).status).toBe(200);
    await enter(room.roomId, 'boss', 'ADMIN');
    await enter(room.roomId, 'a', 'STUDENT');
    await enter(room.roomId, 'b', 'STUDENT');
    await eventually(async () => expect((await api.get(`/v1/room/${room.roomId}/status`)).body.data.participantCount).toBe(3));
  }, 60_000);
});

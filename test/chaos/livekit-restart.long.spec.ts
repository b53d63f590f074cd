import { randomUUID } from 'node:crypto';
import {
  connectionsOf,
  eventually,
  expectPresenceInvariants,
  liveKitAdmin,
  liveKitRoomNames,
  newOrganization,
  newRoom,
  person,
  RtcParticipant,
  sleep,
  TestStack,
  type Answer,
  type ApiClient,
} from '@classroom/testing';
import { CLASS_APPS, pollDuring, PERIOD_S } from './support.js';

/** LiveKit treats a room whose node died as closed for 5 s more. Two passes then find the participants who have not returned. */
const HEALED_MS = 90_000;

interface Class {
  roomId: string;
  sid: string;
  tokens: string[];
  people: RtcParticipant[];
}

describe('a restart of LiveKit during a class', () => {
  let stack: TestStack;
  let api: ApiClient;
  beforeAll(async () => {
    stack = await TestStack.start({ apps: CLASS_APPS, env: { room: { RECONCILE_SECONDS: String(PERIOD_S) } } });
    ({ api } = await newOrganization(stack));
  });
  afterEach(() => expectPresenceInvariants(stack));
  afterAll(async () => {
    await stack?.stop();
    await RtcParticipant.disposeAll();
  });

  const connect = (token: string) => RtcParticipant.connect(stack.urls.livekitPublic, token);
  const status = async (roomId: string) => (await api.get(`/v1/room/${roomId}/status`)).body.data;
  const joinAs = (roomId: string, uid: string, role: string) => api.post(`/v1/room/${roomId}/join`, { participant: person(uid, role) });
  const counted = (roomId: string, participantCount: number, withinMs = HEALED_MS) =>
    eventually(async () => expect(await status(roomId)).toMatchObject({ isActive: true, participantCount }), withinMs);

  async function startClass(): Promise<Class> {
    const { roomId, sid, token } = await newRoom(api);
    const student = (await joinAs(roomId, 'student', 'STUDENT')).body.data.token as string;
    const tokens = [token, student];
    const people = await Promise.all(tokens.map(connect));
    await counted(roomId, 2);
    return { roomId, sid, tokens, people };
  }

  /** Asserts that status and join succeed during the work, and that the class is never reported as over. */
  async function staysAvailable({ roomId }: Class, work: () => Promise<unknown>): Promise<void> {
    const poll = async () => ({ seen: await api.get(`/v1/room/${roomId}/status`), join: await joinAs(roomId, 'late', 'STUDENT') });
    const failures = (await pollDuring(250, poll, work)).flatMap(({ seen, join }) => [
      ...(seen.status === 200 && seen.body.data.isActive === true ? [] : [`status ${seen.status} ${seen.text}`]),
      ...(join.status === 200 ? [] : [`join ${join.status} ${join.text}`]),
    ]);
    expect(failures).toEqual([]);
  }

  async function createDuringOutage(): Promise<() => Promise<Answer>> {
    const body = { roomId: `room-${randomUUID()}`, title: 'Algebra', participant: person('teacher') };
    const create = () => api.post('/v1/room/create', body);
    const refused = await create();
    expect(refused.body).toMatchObject({ success: false, error: 'SERVICE_UNAVAILABLE' });
    expect(refused.status).toBe(503);
    return create;
  }

  /** Reconnects like the class page: it requests a session and connects with its token. */
  async function reconnect(token: string): Promise<RtcParticipant> {
    const session = await api.bearer(token).post('/v1/classroom/session');
    expect(session.status).toBe(200);
    return connect(session.body.data.livekitToken);
  }

  /**
   * Creates another room before LiveKit is stopped. The returned function waits until LiveKit answers createRoom for that room. (For a new
   * name, a restarted LiveKit may answer while its records still refer to the dead node.)
   */
  async function leaveCanary(): Promise<() => Promise<number>> {
    const name = `canary-${randomUUID()}`;
    await liveKitAdmin(stack).createRoom({ name, emptyTimeout: 600 });
    return async () => {
      // A short timeout, because a request that comes too early hangs for 3 s.
      await eventually(() => liveKitAdmin(stack, 0.5).createRoom({ name, emptyTimeout: 600 }));
      return Date.now();
    };
  }

  /** Whether LiveKit has placed the room on a node: it is listed, and its participants can be listed. */
  const isPlaced = async (sid: string) => {
    expect(await liveKitRoomNames(stack)).toContain(sid);
    await liveKitAdmin(stack).listParticipants(sid);
  };

  async function expectAllPlaced(since: number, sids: string[]): Promise<void> {
    await Promise.all(sids.map((sid) => eventually(() => isPlaced(sid))));
  }

  it('that is graceful recreates rooms, and participants return with a new session', async () => {
    const livekit = stack.part('livekit');
    const lesson = await startClass();
    const waiting = await newRoom(api);
    const over = await newRoom(api);
    await api.delete(`/v1/room/${over.roomId}`);
    const answering = await leaveCanary();
    let create: () => Promise<Answer> = async () => Promise.reject(new Error('never refused'));
    let back: RtcParticipant[] = [];
    await staysAvailable(lesson, async () => {
      await livekit.stop();
      create = await createDuringOutage();
      await eventually(() => expect(lesson.people.map(({ disconnected }) => disconnected)).toEqual([true, true]));
      await livekit.start();
      await expectAllPlaced(await answering(), [lesson.sid, waiting.sid]);
      expect(await liveKitRoomNames(stack)).not.toContain(over.sid);
      back = await Promise.all(lesson.tokens.map(reconnect));
      await counted(lesson.roomId, 2);
    });
    expect((await create()).status).toBe(200);
    // Until all returned, a participant who did and one whose earlier connection is not yet closed are two as well.
    await eventually(async () => {
      const intervals = await connectionsOf(stack, lesson.sid);
      expect([intervals.filter(({ leftAt }) => leftAt === null).length, intervals.length]).toEqual([2, 4]);
    }, HEALED_MS);
    await Promise.all(back.map((one) => one.leave()));
    await counted(lesson.roomId, 0);
  });

  it('by kill -9 recreates rooms, counts rejoining participants once, and closes the others', async () => {
    const livekit = stack.part('livekit');
    const lesson = await startClass();
    const [teacher, student] = lesson.people;
    const waiting = await newRoom(api);
    const answering = await leaveCanary();
    const before = await connectionsOf(stack, lesson.sid);
    let create: () => Promise<Answer> = async () => Promise.reject(new Error('never refused'));
    let killedAt = 0;
    let there = teacher;
    await staysAvailable(lesson, async () => {
      await livekit.kill();
      killedAt = Math.floor(Date.now() / 1000);
      [create] = await Promise.all([createDuringOutage(), student?.leave(), sleep(1_000)]);
      await livekit.start();
      await expectAllPlaced(await answering(), [lesson.sid, waiting.sid]);
      // The client's own reconnect if it succeeds, otherwise the reconnect of the page.
      await eventually(() => expect((teacher?.reconnections ?? 0) > 0 || teacher?.disconnected).toBe(true), HEALED_MS);
      if (teacher?.disconnected) there = await reconnect(lesson.tokens[0] ?? '');
      await counted(lesson.roomId, 1);
    });
    expect((await create()).status).toBe(200);
    // A client that reconnects by itself may do so more than once.
    await eventually(async () => {
      const open = (await connectionsOf(stack, lesson.sid)).filter(({ leftAt }) => leftAt === null);
      expect(open).toMatchObject([{ uid: 'teacher', connectionSid: there?.sid }]);
    }, HEALED_MS);
    expect(before.map(({ connectionSid }) => connectionSid)).not.toContain(there?.sid);
    // No participant is charged for time that was not verified.
    const late = (await connectionsOf(stack, lesson.sid)).filter(({ leftAt }) => (leftAt?.getTime() ?? 0) > killedAt * 1000);
    expect(late).toEqual([]);
    await there?.leave();
    await counted(lesson.roomId, 0);
  });
});

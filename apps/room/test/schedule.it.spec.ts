import { changeRoom, createRoom, deleteRoom, getRoom, joinRoom, roomEndingSoon, roomFinished, type Role } from '@classroom/contracts';
import { eventually } from '@classroom/testing';
import { ClassMember } from './support/class-member.js';
import { ago, nameOf, refusal, RoomFixture, type NewRoom } from './support/room-fixture.js';
import { claimsOf } from './support/claims-of.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const NOT_OPEN = 'ROOM_NOT_OPEN startsAt opensAt title theme name devices';

let fixture: RoomFixture;
beforeAll(async () => {
  fixture = await RoomFixture.start();
});
afterEach(() => fixture.stack.moveClock(0));
afterAll(() => fixture.stop());

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const later = (time: string, ms: number) => new Date(Date.parse(time) + ms);
/** Moves the clock to `ms` after `time`. */
const moveTo = (time: string, ms: number) => fixture.stack.moveClock(Date.parse(time) + ms - Date.now());
const change = (roomId: string, settings: object) => fixture.asBackend(changeRoom, { roomId, change: { settings } });
const open = async (room: NewRoom, uid: string, role?: Role) => ClassMember.open(fixture, room, uid, await fixture.join(room, uid, role));
const become = (sid: string, state: string) => eventually(async () => expect(await fixture.state(sid)).toMatchObject({ state }));
const scheduleDue = async (sid: string) => (await fixture.state(sid)).scheduleDueAt;
/** Waits until the sweep has done what was due. */
const swept = async () => {
  const endsAt = inMs(300 * DAY_MS);
  const witness = await fixture.newRoom({ endsAt });
  await fixture.setTime(witness.sid, 'rooms.schedule_due_at', (await fixture.state(witness.sid)).createdAt);
  await eventually(async () => expect(await scheduleDue(witness.sid)).toEqual(later(endsAt, 0)));
};

describe('a room that opens later', () => {
  it('gives a token for the lesson that does not connect, and refuses a session with the time until it opens', async () => {
    const startsAt = inMs(DAY_MS);
    const room = await fixture.newRoom({ startsAt, joinBefore: 300, maxDuration: 5_400, roomDescription: 'Right triangles' });
    const token = await fixture.join(room, 'bob', 'STUDENT');
    const claims = claimsOf(token);
    expect([claims.video.roomJoin, claims.exp]).toEqual([false, Math.floor(later(startsAt, 9_000_000).getTime() / 1000)]);
    await expect(fixture.livekit.connect(token)).rejects.toThrow();
    const early = ClassMember.open(fixture, room, 'bob', token);
    await expect(early).rejects.toMatchObject({
      details: [
        { path: 'startsAt', message: startsAt },
        { path: 'opensAt', message: later(startsAt, -300_000).toISOString() },
        { path: 'title', message: 'A class' },
        { path: 'roomDescription', message: 'Right triangles' },
        { path: 'theme', message: 'auto' },
        { path: 'name', message: nameOf('bob') },
        { path: 'devices', message: '' },
      ],
    });
    await moveTo(startsAt, -301_000);
    expect(await refusal(ClassMember.open(fixture, room, 'bob', token))).toMatch(/^ROOM_NOT_OPEN/);
    await moveTo(startsAt, -299_000);
    const bob = await ClassMember.open(fixture, room, 'bob', token);
    await bob.connect();
    await become(room.sid, 'live');
  });

  it('is open at any time for who may start a recording, and for no other role', async () => {
    const room = await fixture.newRoom({ startsAt: inMs(DAY_MS), role: 'STUDENT' });
    for (const role of ['STUDENT', 'MODERATOR'] as const) expect(await refusal(open(room, role.toLowerCase(), role))).toBe(NOT_OPEN);
    for (const role of ['TEACHER', 'ADMIN'] as const) await (await open(room, role.toLowerCase(), role)).connect();
    // The class is live by now; its door is not.
    await eventually(async () => expect(await fixture.state(room.sid)).toMatchObject({ count: 2 }));
    expect(await refusal(open(room, 'late', 'STUDENT'))).toBe(NOT_OPEN);
  });

  it('is opened, closed and moved by a change, which tokens that were given before follow', async () => {
    const room = await fixture.newRoom({ startsAt: inMs(DAY_MS) });
    const token = await fixture.join(room, 'bob', 'STUDENT');
    expect(await change(room.roomId, { joinBefore: 86_400 })).toMatchObject({ joinBefore: 86_400, maxDuration: null });
    await ClassMember.open(fixture, room, 'bob', token);
    await change(room.roomId, { startsAt: inMs(2 * DAY_MS) });
    expect(await refusal(ClassMember.open(fixture, room, 'bob', token))).toBe(NOT_OPEN);
    expect(await change(room.roomId, { startsAt: null })).toMatchObject({ startsAt: null });
    await ClassMember.open(fixture, room, 'bob', token);
  });

  it('is removed from LiveKit while no participant is expected, and is there again when it opens', async () => {
    const startsAt = inMs(DAY_MS);
    const room = await fixture.newRoom({ startsAt });
    await fixture.setTime(room.sid, 'rooms.tokens_expire_at', ago(182));
    await eventually(async () => expect(await fixture.isInLiveKit(room.sid)).toBe(false));
    await moveTo(startsAt, -590_000);
    await eventually(async () => expect(await fixture.isInLiveKit(room.sid)).toBe(true));
    expect(await fixture.state(room.sid)).toMatchObject({ state: 'created', media: 'open' });
  });

  it('lasts: emptyTimeout counts from its start, and days without a participant from its end', async () => {
    const [startsAt, endsAt] = [inMs(60 * DAY_MS), inMs(61 * DAY_MS)];
    const room = await fixture.newRoom({ startsAt, endsAt, emptyTimeout: 60 });
    expect((await fixture.state(room.sid)).dueAt).toEqual(later(endsAt, 30 * DAY_MS));
    await fixture.visited(room.sid);
    expect((await fixture.state(room.sid)).dueAt).toEqual(later(startsAt, MINUTE_MS));
    await moveTo(startsAt, 30_000);
    await swept();
    await become(room.sid, 'live');
    await moveTo(startsAt, 61_000);
    await become(room.sid, 'finished');
    expect(await fixture.asBackend(getRoom, { roomId: room.roomId })).toMatchObject({ endReason: 'empty' });
  });
});

describe('a class with an end', () => {
  const notices = async (sid: string) => (await fixture.facts(roomEndingSoon, sid)).map(({ endsAt }) => endsAt);

  it('is announced ten minutes before it, once, and ends for everyone', async () => {
    const endsAt = inMs(3_600_000);
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT'], { endsAt });
    expect((await people[1].state()).room).toMatchObject({ classEndsAt: endsAt });
    await moveTo(endsAt, -11 * MINUTE_MS);
    await swept();
    expect(await notices(room.sid)).toEqual([]);
    await moveTo(endsAt, -10 * MINUTE_MS);
    await eventually(async () => expect(await notices(room.sid)).toEqual([endsAt]));
    await eventually(async () => expect((await people[1].updates()).at(-1)?.room).toMatchObject({ classEndsAt: endsAt }));
    await moveTo(endsAt, -1_000);
    await swept();
    await become(room.sid, 'live');
    await moveTo(endsAt, 1_000);
    await become(room.sid, 'finished');
    expect(await notices(room.sid)).toEqual([endsAt]);
    await eventually(async () =>
      expect(await fixture.facts(roomFinished, room.sid)).toMatchObject([{ reason: 'schedule', connections: 2 }]),
    );
    expect(await fixture.isInLiveKit(room.sid)).toBe(false);
    expect(await refusal(fixture.join(room, 'late'))).toBe('ROOM_ENDED');
    // What is due after the end is the summary of its engagement.
    await moveTo(endsAt, 6 * MINUTE_MS);
    await swept();
    await eventually(async () => expect(await scheduleDue(room.sid)).toBeNull());
  });

  it('is announced for each end that is set', async () => {
    const [first, second] = [inMs(5 * MINUTE_MS), inMs(8 * MINUTE_MS)];
    const { room } = await fixture.classOf(['TEACHER'], { endsAt: first });
    await eventually(async () => expect(await notices(room.sid)).toEqual([first]));
    await change(room.roomId, { endsAt: second });
    await eventually(async () => expect(await notices(room.sid)).toEqual([first, second]));
    await change(room.roomId, { endsAt: null });
    await moveTo(second, MINUTE_MS);
    await swept();
    await become(room.sid, 'live');
  });

  it('by maxDuration ends that long after the first join', async () => {
    const { sid, roomId, token } = await fixture.newRoom({ maxDuration: 1_800 });
    await fixture.livekit.connect(token);
    await become(sid, 'live');
    const end = later((await fixture.state(sid)).startedAt?.toISOString() ?? '', 1_800_000).toISOString();
    await moveTo(end, -MINUTE_MS);
    await eventually(async () => expect(await notices(sid)).toEqual([end]));
    await moveTo(end, 1_000);
    await become(sid, 'finished');
    expect(await fixture.asBackend(getRoom, { roomId })).toMatchObject({ endReason: 'schedule' });
  });

  it('by maxDuration counts from the start of the lesson if a teacher came before it', async () => {
    const startsAt = inMs(3_600_000);
    const { sid, token } = await fixture.newRoom({ startsAt, maxDuration: 1_800 });
    await fixture.livekit.connect(token);
    await become(sid, 'live');
    await eventually(async () => expect(await scheduleDue(sid)).toEqual(later(startsAt, 1_200_000)));
  });

  it('is over at its end if no participant came', async () => {
    const endsAt = inMs(3_600_000);
    const { sid } = await fixture.newRoom({ endsAt });
    await moveTo(endsAt, 1_000);
    await become(sid, 'finished');
    await eventually(async () => expect(await fixture.facts(roomFinished, sid)).toMatchObject([{ reason: 'unused' }]));
    expect(await notices(sid)).toEqual([]);
  });

  it('is refused if it cannot be held', async () => {
    const refused = (settings: object) => refusal(fixture.newRoom(settings));
    expect(await refused({ endsAt: inMs(-1_000) })).toBe('VALIDATION_FAILED settings.endsAt');
    expect(await refused({ startsAt: inMs(MINUTE_MS), endsAt: inMs(30_000) })).toBe('VALIDATION_FAILED settings.endsAt');
    expect(await refused({ startsAt: inMs(367 * DAY_MS) })).toBe('VALIDATION_FAILED settings.startsAt');
    expect(await refused({ maxDuration: 59 })).toBe('VALIDATION_FAILED settings.maxDuration');
    const { roomId } = await fixture.newRoom({ startsAt: inMs(DAY_MS) });
    expect(await refusal(change(roomId, { endsAt: inMs(MINUTE_MS) }))).toBe('VALIDATION_FAILED settings.endsAt');
    await fixture.asBackend(deleteRoom, { roomId });
  });
});

describe('a token', () => {
  const ada = { uid: 'ada', name: 'Ada', role: 'TEACHER' as const };

  it('is valid from when and as long as the backend says, of a creation and of a join', async () => {
    const notBefore = inMs(3_600_000);
    const room = await fixture.newRoom();
    const [from, seconds] = [Math.floor(Date.parse(notBefore) / 1000), 7_200];
    const { token, expiresAt } = await fixture.asBackend(joinRoom, {
      roomId: room.roomId,
      participant: { ...ada, notBefore, expiresIn: seconds },
    });
    expect(claimsOf(token)).toMatchObject({ nbf: from, exp: from + seconds });
    expect(expiresAt).toBe(new Date((from + seconds) * 1000).toISOString());
    expect(await refusal(ClassMember.open(fixture, room, 'ada', token))).toBe(NOT_OPEN);
    const participant = { ...ada, expiresIn: 60 };
    const created = await fixture.asBackend(createRoom, { roomId: `${room.roomId}-2`, title: 'A class', participant });
    const { nbf, exp } = claimsOf(created.token);
    expect(exp).toBe(nbf + 60);
  });

  it('is refused with a lifetime or a start out of bounds', async () => {
    const { roomId } = await fixture.newRoom();
    const join = (more: object) => refusal(fixture.asBackend(joinRoom, { roomId, participant: { ...ada, ...more } }));
    expect(await join({ expiresIn: 59 })).toBe('VALIDATION_FAILED participant.expiresIn');
    expect(await join({ expiresIn: 86_401 })).toBe('VALIDATION_FAILED participant.expiresIn');
    expect(await join({ notBefore: inMs(367 * DAY_MS) })).toBe('VALIDATION_FAILED participant.notBefore');
  });
});

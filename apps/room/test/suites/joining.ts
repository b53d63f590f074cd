import { randomUUID } from 'node:crypto';
import {
  changeRoom,
  classroomRpc,
  deleteRoom,
  getParticipant,
  getRoom,
  getRoomStatus,
  joinRoom,
  removeParticipant,
  type Role,
  sendChatMessage,
} from '@classroom/contracts';
import { signClaims } from '@classroom/platform';
import { connectionsOf, eventually } from '@classroom/testing';
import { ClassMember } from '../support/class-member.js';
import { ago, nameOf, refusal, type NewRoom, type RoomFixture } from '../support/room-fixture.js';
import { sharedFixture } from '../support/shared-fixture.js';
import { claimsOf } from '../support/claims-of.js';

const WHOLE_HOUR_MS = 3_600_000;

let fixture: RoomFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});

const grantsOf = (token: string) => claimsOf(token).video;
const attributesOf = (token: string) => claimsOf(token).attributes;
const authenticate = (bearer: string, accept: 'participant' | 'classroom' = 'participant') =>
  fixture.call(classroomRpc.authenticate, { bearer, accept });
const renew = ({ caller }: ClassMember) => fixture.call(classroomRpc.openSession, { caller });
const participant = (room: NewRoom, uid: string) => fixture.asBackend(getParticipant, { roomId: room.roomId, uid });
const status = (room: NewRoom) => fixture.asBackend(getRoomStatus, { roomId: room.roomId });
const everything = ['camera', 'microphone', 'screen_share', 'screen_share_audio'];

const CATEGORIES = 'Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Co Cn'.split(' ');

/** So many characters of each category of Unicode that a text may hold, from all planes. */
function lettersOf(count: number): string {
  const all = Array.from({ length: 0x11_00_00 / 16 }, (_, n) => String.fromCodePoint(n * 16 + (n % 16)));
  return CATEGORIES.flatMap((name) => {
    const category = new RegExp(`\\p{${name}}`, 'u');
    const found = all.filter((character) => category.test(character));
    return found.filter((_, at) => at % Math.ceil(found.length / count) === 0);
  }).join('');
}

describe('a join', () => {
  it.each<[Role, string[] | undefined]>([
    ['TEACHER', everything],
    ['MODERATOR', everything],
    ['ADMIN', everything],
    ['STUDENT', undefined],
  ])('as %s gets a token that permits exactly what the role may publish', async (role, sources) => {
    const room = await fixture.newRoom();
    const token = await fixture.join(room, 'bob', role);
    expect(grantsOf(token)).toMatchObject({ canPublish: sources !== undefined, room: room.sid });
    expect(grantsOf(token).canPublishSources).toEqual(sources);
    expect(attributesOf(token)).toMatchObject({ role, use: 'join' });
  });

  it('is refused for an unknown, an ended and another organization’s room', async () => {
    const room = await fixture.newRoom();
    await fixture.asBackend(deleteRoom, { roomId: room.roomId });
    expect(await refusal(fixture.join(room, 'bob'))).toBe('ROOM_ENDED');
    expect(await refusal(fixture.join({ roomId: 'never' }, 'bob'))).toBe('ROOM_NOT_FOUND');
    const foreign = { organizationId: `org_${randomUUID()}`, roomId: room.roomId };
    const stranger = { uid: 'bob', name: 'Bob', role: 'STUDENT' as const };
    expect(await refusal(fixture.call(joinRoom, { ...foreign, participant: stranger }))).toBe('ROOM_NOT_FOUND');
  });

  it('again changes name and picture, and keeps them in the token and in the list', async () => {
    const room = await fixture.newRoom();
    const join = (name: string, photoURL?: string) =>
      fixture.asBackend(joinRoom, { roomId: room.roomId, participant: { uid: 'bob', name, role: 'STUDENT', photoURL } });
    expect(attributesOf((await join('Bob', 'https://example.com/bob.png')).token)['photoURL']).toBe('https://example.com/bob.png');
    expect(await participant(room, 'bob')).toMatchObject({ name: 'Bob', photoURL: 'https://example.com/bob.png' });
    expect(attributesOf((await join('Robert')).token)).not.toHaveProperty('photoURL');
    expect(await participant(room, 'bob')).toMatchObject({ name: 'Robert', photoURL: null });
  });

  it('keeps characters of every category in the name, and so do the title of the room and a message', async () => {
    const { room, people } = await fixture.classOf(['TEACHER']);
    const [teacher] = people;
    const text = `${lettersOf(8)} a`;
    await fixture.asBackend(joinRoom, { roomId: room.roomId, participant: { uid: 'bob', name: text, role: 'STUDENT' } });
    expect(await participant(room, 'bob')).toMatchObject({ name: text });
    await fixture.asBackend(changeRoom, { roomId: room.roomId, change: { title: text } });
    expect(await fixture.asBackend(getRoom, { roomId: room.roomId })).toMatchObject({ title: text });
    await teacher.act(sendChatMessage, { text });
    expect((await teacher.state()).messages).toMatchObject([{ text }]);
  });

  it('again without a change writes nothing, but keeps the room in LiveKit for as long as the new token', async () => {
    const room = await fixture.newRoom();
    await fixture.join(room, 'bob');
    const versions = () =>
      fixture.stack.rows('SELECT r.xmin AS room, p.xmin AS person FROM room.rooms r JOIN room.participants p USING (sid) WHERE sid = $1', [
        room.sid,
      ]);
    const before = await versions();
    await fixture.join(room, 'bob');
    expect(await versions()).toEqual(before);
    await fixture.setTime(room.sid, 'rooms.tokens_expire_at', ago(-5));
    await fixture.join(room, 'bob');
    const { tokensExpireAt } = await fixture.state(room.sid);
    expect(tokensExpireAt?.getTime()).toBeGreaterThan(Date.now() + 60_000);
  });

  it('with another role takes effect for a connected participant, in the count of teachers and in LiveKit', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [teacher, student] = people;
    await teacher.publish();
    await fixture.join(room, teacher.uid, 'STUDENT');
    expect(await status(room)).toMatchObject({ hasTeacher: false, participantCount: 2 });
    expect(await teacher.inLiveKit()).toMatchObject({ attributes: { role: 'STUDENT' }, permission: { canPublish: false }, tracks: [] });
    await fixture.join(room, student.uid, 'TEACHER');
    expect(await status(room)).toMatchObject({ hasTeacher: true });
    expect(await student.inLiveKit()).toMatchObject({ attributes: { role: 'TEACHER' }, permission: { canPublish: true } });
    // An older token gives the rights in the row and no more.
    await teacher.leave();
    await teacher.connect(room.token);
    await eventually(async () =>
      expect(await teacher.inLiveKit()).toMatchObject({ attributes: { role: 'STUDENT' }, permission: { canPublish: false } }),
    );
    const session = await ClassMember.open(fixture, room, teacher.uid, room.token);
    expect(session.session).toMatchObject({ participant: { role: 'STUDENT' }, permissions: { publish: false, endClass: false } });
  });
});

describe('a second device of a participant', () => {
  const second = async (token: string) => {
    const caller = await authenticate(token);
    return fixture.call(classroomRpc.openSession, { caller });
  };

  it('replaces the first, unless the room refuses it', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [, student] = people;
    const { livekitToken } = await second(await fixture.join(room, student.uid));
    expect(await refusal(renew(student))).toBe('UNAUTHORIZED');
    const first = student.connectionSid;
    expect(await student.connect(livekitToken)).not.toBe(first);
    await eventually(async () => expect(await status(room)).toMatchObject({ participantCount: 2 }));
  });

  it('is refused while the first is connected, by its join and its session, where the room says so', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT'], { duplicateJoin: 'refuse' });
    const [, student] = people;
    expect(await refusal(fixture.join(room, student.uid))).toBe('ALREADY_CONNECTED');
    expect(await refusal(second(student.joinToken))).toBe('ALREADY_CONNECTED');
    // The link alone opens sessions, and does not connect: LiveKit would replace the first.
    await expect(student.connect(student.joinToken)).rejects.toThrow();
    expect((await renew(student)).participant.uid).toBe(student.uid);
    expect(await student.state()).toMatchObject({ base: 0 });
    await student.leave();
    await eventually(async () => expect(await status(room)).toMatchObject({ participantCount: 1 }));
    await second(student.joinToken);
    await fixture.join(room, student.uid);
    const whole = await fixture.asBackend(getRoom, { roomId: room.roomId });
    expect(whole.settings.duplicateJoin).toBe('refuse');
    await fixture.asBackend(changeRoom, { roomId: room.roomId, change: { settings: { duplicateJoin: 'replace' } } });
    await fixture.join(room, people[0].uid, 'TEACHER');
  });

  it('is not refused because our rows are late: LiveKit decides', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT'], { duplicateJoin: 'refuse' });
    const [, student] = people;
    await fixture.livekit.faults({ webhooks: { lossRate: 1 } });
    await student.leave();
    await second(await fixture.join(room, student.uid));
    await fixture.livekit.clearFaults();
  });
});

describe('the capacity', () => {
  it('is reached at exactly maxParticipants; a connected participant takes no further place', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT'], { maxParticipants: 3 });
    const third = await fixture.member(room, 'third');
    const guest = { caller: await authenticate(await fixture.join(room, 'fourth')) };
    await third.connect();
    await eventually(async () => expect(await status(room)).toMatchObject({ participantCount: 3 }));
    expect(await refusal(fixture.join(room, 'fifth'))).toBe('ROOM_FULL');
    expect(await refusal(fixture.call(classroomRpc.openSession, guest))).toBe('ROOM_FULL');
    await fixture.join(room, people[1].uid);
    expect((await renew(people[1])).participant.uid).toBe(people[1].uid);
    await third.leave();
    await eventually(async () => expect(await status(room)).toMatchObject({ participantCount: 2 }));
    await fixture.join(room, 'fifth');
  });

  it('holds in LiveKit when many connect with tokens from before the room was full', async () => {
    const room = await fixture.newRoom({ maxParticipants: 3 });
    const tokens = await Promise.all(Array.from({ length: 6 }, (_, n) => fixture.join(room, `uid-${n}`)));
    const outcomes = await Promise.allSettled(tokens.map((token) => fixture.livekit.connect(token)));
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(3);
    await eventually(async () => expect(await status(room)).toMatchObject({ participantCount: 3 }));
  });
});

describe('a session', () => {
  it('contains the room, the participant, the permissions and how many are present, teachers first', async () => {
    const customization = { showLobby: false, theme: 'sepia' };
    const { room } = await fixture.classOf(['STUDENT', 'TEACHER'], { customization, roomDescription: 'About x', maxParticipants: 7 });
    const { session } = await fixture.member(room, 'late', 'MODERATOR');
    expect(session).toMatchObject({
      room: {
        roomId: room.roomId,
        sid: room.sid,
        title: 'A class',
        roomDescription: 'About x',
        startedAt: expect.any(String),
        maxParticipants: 7,
        emptyTimeout: 300,
        customization: { showLobby: false, showVideoControls: true, theme: 'auto' },
      },
      present: { count: 2, names: [nameOf('teacher-1'), nameOf('student-0')] },
      participant: { uid: 'late', name: nameOf('late'), role: 'MODERATOR', photoURL: null },
      permissions: { publish: true, endClass: false, managePolls: true },
    });
    expect(attributesOf(session.livekitToken)).toMatchObject({ use: 'media', role: 'MODERATOR' });
    const { exp, ms } = claimsOf(session.classroomToken);
    expect(new Date(exp * 1000).toISOString()).toBe(session.expiresAt);
    expect(exp).toBe(Math.floor(ms / 1000) + WHOLE_HOUR_MS / 1000);
    expect(JSON.stringify(claimsOf(session.classroomToken))).not.toContain('org_');
  });

  it.each(['light', 'dark'])('keeps the theme %s', async (theme) => {
    const room = await fixture.newRoom({ customization: { theme, showVideoControls: false } });
    const { session } = await fixture.member(room, 'bob');
    expect(session.room.customization).toEqual({ theme, showVideoControls: false, showLobby: true });
    expect(session).toMatchObject({ present: { count: 0, names: [] }, room: { startedAt: null, roomDescription: null } });
  });

  it('lists at most four names of those present', async () => {
    const { room } = await fixture.classOf(['STUDENT', 'STUDENT', 'STUDENT', 'STUDENT', 'TEACHER']);
    const { session } = await fixture.member(room, 'late');
    expect(session.present.count).toBe(5);
    expect(session.present.names).toHaveLength(4);
    expect(session.present.names[0]).toBe(nameOf('teacher-4'));
  });

  it('of a newer page replaces the older one, which may not act or renew', async () => {
    const room = await fixture.newRoom();
    const older = await fixture.member(room, 'bob');
    const newer = await ClassMember.open(fixture, room, 'bob', older.joinToken);
    expect(newer.caller.sessionNumber).toBe((older.caller.sessionNumber ?? 0) + 1);
    expect(await refusal(renew(older))).toBe('UNAUTHORIZED');
    expect(await refusal(older.state())).toBe('UNAUTHORIZED');
    expect((await newer.state()).base).toBe(0);
    const renewed = await authenticate((await renew(newer)).classroomToken, 'classroom');
    expect(renewed.sessionNumber).toBe(newer.caller.sessionNumber);
  });

  it('is renewed while its participant is connected, and until emptyTimeout after they left', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT'], { emptyTimeout: 60 });
    const [, student] = people;
    await fixture.age(room.sid, 3_600, 'participants.session_opened_at');
    await renew(student);
    await student.leave();
    await eventually(async () => expect(await status(room)).toMatchObject({ participantCount: 1 }));
    await renew(student);
    await fixture.setTime(room.sid, 'connections_by_month.joined_at', ago(3_600), student.uid);
    const left = (seconds: number) => fixture.setTime(room.sid, 'connections_by_month.left_at', ago(seconds), student.uid);
    await left(50);
    await renew(student);
    await left(61);
    expect(await refusal(renew(student))).toBe('UNAUTHORIZED');
    // The join token still opens a new session.
    await ClassMember.open(fixture, room, student.uid, student.joinToken);
  });

  it.each([
    [60, 50, 61],
    // A page that was admitted learns of it within seconds.
    [1, 20, 31],
  ])(
    'that was never connected is renewed until emptyTimeout (%d s), or half a minute, after it was opened',
    async (emptyTimeout, early, late) => {
      const room = await fixture.newRoom({ emptyTimeout });
      const member = await fixture.member(room, 'bob');
      const opened = (seconds: number) => fixture.setTime(room.sid, 'participants.session_opened_at', ago(seconds));
      await opened(early);
      await renew(member);
      await opened(late);
      expect(await refusal(renew(member))).toBe('UNAUTHORIZED');
    },
  );

  it('is refused after the end of the room, with the reason', async () => {
    const room = await fixture.newRoom();
    const member = await fixture.member(room, 'bob');
    await fixture.asBackend(deleteRoom, { roomId: room.roomId });
    const caller = await authenticate(member.joinToken);
    for (const attempt of [() => renew(member), () => member.state(), () => fixture.call(classroomRpc.openSession, { caller })])
      await expect(attempt()).rejects.toMatchObject({ code: 'ROOM_ENDED', details: [{ path: 'reason', message: 'deleted' }] });
  });
});

describe('a bearer token', () => {
  it('is accepted by its use: a join token opens sessions, a media token does not, a classroom token acts', async () => {
    const room = await fixture.newRoom();
    const { session, joinToken, caller } = await fixture.member(room, 'bob');
    const guest = await authenticate(joinToken);
    expect(guest).toEqual({
      sid: room.sid,
      uid: 'bob',
      organizationId: fixture.organizationId,
      sessionNumber: null,
      issuedAt: Number(attributesOf(joinToken)['issuedAt']),
    });
    expect(caller).toMatchObject({ sid: room.sid, uid: 'bob', organizationId: fixture.organizationId, sessionNumber: 1 });
    expect(await authenticate(session.classroomToken)).toEqual(caller);
    expect(await refusal(authenticate(joinToken, 'classroom'))).toBe('UNAUTHORIZED');
    expect(await refusal(authenticate(session.livekitToken))).toBe('UNAUTHORIZED');
    expect(await refusal(authenticate('none'))).toBe('UNAUTHORIZED');
  });

  it('is refused with another signature, and for a room that does not exist', async () => {
    const standard = { iss: fixture.livekit.apiKey, sub: 'bob', exp: Math.floor(Date.now() / 1000) + 3600 };
    const attributes = { issuedAt: '1', use: 'join', joinUntil: String(standard.exp * 1000) };
    const claims = (room: string) => ({ ...standard, attributes, video: { room, roomJoin: true } });
    const sign = (sid: string, secret: string) => signClaims(claims(sid), secret);
    const { sid } = await fixture.newRoom();
    expect(await authenticate(sign(sid, fixture.livekit.apiSecret))).toMatchObject({ uid: 'bob', issuedAt: 1 });
    expect(await refusal(authenticate(sign(sid, 'another-secret-of-32-characters-or-more')))).toBe('UNAUTHORIZED');
    expect(await refusal(authenticate(sign('RM_0000000000000000', fixture.livekit.apiSecret)))).toBe('UNAUTHORIZED');
  });

  it('of a removed participant is refused, until the backend admits them again', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [, student] = people;
    await fixture.asBackend(removeParticipant, { roomId: room.roomId, uid: student.uid });
    const old = await authenticate(student.joinToken);
    expect(await refusal(fixture.call(classroomRpc.openSession, { caller: old }))).toBe('UNAUTHORIZED');
    expect(await refusal(renew(student))).toBe('UNAUTHORIZED');
    const back = await fixture.member(room, student.uid);
    expect((await back.state()).version).toBeGreaterThan(0);
  });
});

it('the address of a session is stored with the connections that its media tokens make, and only with those', async () => {
  const room = await fixture.newRoom();
  const bob = await ClassMember.open(fixture, room, 'bob', await fixture.join(room, 'bob'), '203.0.113.7');
  const sids = [await bob.connect()];
  const moved = await fixture.call(classroomRpc.openSession, { caller: bob.caller, clientAddress: '2001:db8::7' });
  await eventually(async () => expect(await status(room)).toMatchObject({ participantCount: 1 }));
  sids.push(await bob.connect(moved.livekitToken), (await fixture.livekit.connect(await fixture.join(room, 'direct'))).sid);
  await eventually(async () => {
    const connections = await connectionsOf(fixture.stack, room.sid);
    expect(new Map(connections.map(({ connectionSid, ip }) => [connectionSid, ip]))).toEqual(
      new Map([
        [sids[0], '203.0.113.7'],
        [sids[1], '2001:db8::7'],
        [sids[2], null],
      ]),
    );
  });
});

it('of a participant whose address changes with each session, the latest hundred addresses are kept', async () => {
  const room = await fixture.newRoom();
  const bob = await ClassMember.open(fixture, room, 'bob', await fixture.join(room, 'bob'), '203.0.113.0');
  for (let at = 1; at <= 103; at++)
    await fixture.call(classroomRpc.openSession, { caller: bob.caller, clientAddress: `203.0.113.${at % 2 === 0 ? 1 : at}` });
  const rows = await fixture.stack.rows<{ address: string }>(
    'SELECT address FROM room.session_addresses WHERE sid = $1 ORDER BY since DESC',
    [room.sid],
  );
  expect([rows.length, rows[0]?.address, rows.at(-1)?.address]).toEqual([100, '203.0.113.103', '203.0.113.1']);
});

import { randomUUID } from 'node:crypto';
import {
  deleteRoom,
  getParticipant,
  getRoomStatus,
  getRoomSummary,
  listParticipants,
  listRooms,
  roomRpc,
  type RpcRequest,
} from '@classroom/contracts';
import { eventually, inLongForm, metricSample, roomsNamed } from '@classroom/testing';
import { ago, nameOf, refusal, type RoomFixture } from '../support/room-fixture.js';
import { sharedFixture } from '../support/shared-fixture.js';

let fixture: RoomFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});
beforeEach(() => {
  fixture.organizationId = `org_${randomUUID()}`;
});

type Query = Partial<Omit<RpcRequest<typeof listRooms>, 'organizationId'>>;
const list = ({ limit = 20, ...query }: Query = {}) => fixture.asBackend(listRooms, { limit, ...query });
const idsOf = ({ rooms }: { rooms: { roomId: string }[] }) => rooms.map(({ roomId }) => roomId);
const sidOf = async (roomId: string) => (await roomsNamed(fixture.stack, roomId))[0]?.sid ?? '';
const created = async (roomId: string, at: string) => fixture.setTime(await sidOf(roomId), 'rooms.created_at', new Date(at));

describe('the list of rooms', () => {
  it('has the newest first, page by page, each once, also those created at the same time', async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n++) made.unshift((await fixture.newRoom({ title: `Class ${n}` })).roomId);
    const first = await list({ limit: 2 });
    const second = await list({ limit: 2, cursor: first.nextCursor ?? '' });
    const third = await list({ limit: 2, cursor: second.nextCursor ?? '' });
    expect([first, second, third].flatMap(idsOf)).toEqual(made);
    expect([first, second, third].map(({ rooms }) => rooms.length)).toEqual([2, 2, 1]);
    expect(third.nextCursor).toBeNull();
    expect((await list({ limit: 5 })).nextCursor).toBeNull();
    expect((await list({ limit: 4 })).nextCursor).not.toBeNull();

    for (const roomId of made) await created(roomId, '2026-01-01T00:00:00Z');
    const same = await list({ limit: 3 });
    const rest = await list({ limit: 3, cursor: same.nextCursor ?? '' });
    expect([...idsOf(same), ...idsOf(rest)].sort()).toEqual([...made].sort());
  });

  it('describes each room by its state', async () => {
    const waiting = await fixture.newRoom({ title: 'Algebra I' });
    const { room: live } = await fixture.classOf(['TEACHER', 'STUDENT'], { title: 'ALGEBRA 100%' });
    const over = await fixture.newRoom({ title: 'Biology' });
    const { endedAt } = await fixture.asBackend(deleteRoom, { roomId: over.roomId });
    const { startedAt } = await fixture.state(live.sid);
    const teachers = async (roomId: string) =>
      (await fixture.asBackend(listParticipants, { roomId, limit: 100 })).participants.flatMap(({ role, name }) =>
        role === 'TEACHER' ? [name] : [],
      );
    const shared = {
      participantCount: 0,
      totalParticipants: 0,
      startsAt: null,
      hasTeacher: false,
      isRecording: false,
      createdAt: expect.any(String),
      startedAt: null,
      endedAt: null,
    };
    expect((await list()).rooms).toEqual([
      {
        ...shared,
        roomId: over.roomId,
        sid: over.sid,
        title: 'Biology',
        status: 'finished',
        endedAt,
        teachers: await teachers(over.roomId),
      },
      {
        ...shared,
        roomId: live.roomId,
        sid: live.sid,
        title: 'ALGEBRA 100%',
        status: 'live',
        participantCount: 2,
        totalParticipants: 2,
        teachers: await teachers(live.roomId),
        hasTeacher: true,
        startedAt: startedAt?.toISOString(),
      },
      {
        ...shared,
        roomId: waiting.roomId,
        sid: waiting.sid,
        title: 'Algebra I',
        status: 'created',
        teachers: await teachers(waiting.roomId),
      },
    ]);
    expect(idsOf(await list({ status: 'live' }))).toEqual([live.roomId]);
    expect(idsOf(await list({ status: 'created' }))).toEqual([waiting.roomId]);
    expect(idsOf(await list({ status: 'finished' }))).toEqual([over.roomId]);
    expect(idsOf(await list({ title: 'algebra' }))).toEqual([live.roomId, waiting.roomId]);
    expect(idsOf(await list({ title: '0%' }))).toEqual([live.roomId]);
    expect(idsOf(await list({ title: 'chemistry' }))).toEqual([]);
    const page = await list({ title: 'algebra', limit: 1 });
    expect(idsOf(page)).toEqual([live.roomId]);
    expect(await list({ title: 'algebra', limit: 1, cursor: page.nextCursor ?? '' })).toMatchObject({
      rooms: [{ roomId: waiting.roomId }],
      nextCursor: null,
    });
    expect(await fixture.asBackend(roomRpc.hasLive, {})).toEqual({ hasLive: true });
    fixture.organizationId = `org_${randomUUID()}`;
    expect(await list()).toEqual({ rooms: [], nextCursor: null });
    expect(await fixture.asBackend(roomRpc.hasLive, {})).toEqual({ hasLive: false });
    await fixture.newRoom();
    expect(await fixture.asBackend(roomRpc.hasLive, {})).toEqual({ hasLive: false });
  });

  it('by title ignores case, accents and width in every language, whatever the locale of the database', async () => {
    const titles = ['Diyarbakır', 'İSTANBUL', 'Οδυσσεύς', 'Straßenbau', 'Zoe\u0308 reads', 'Ｄａｔａ', 'ﬁnance', 'Ada'];
    const made = new Map<string, string>();
    for (const title of titles) made.set(title, (await fixture.newRoom({ title })).roomId);
    const found = async (title: string) => idsOf(await list({ title })).map((id) => titles.find((it) => made.get(it) === id));
    expect(await found('istanbul')).toEqual(['İSTANBUL']);
    expect(await found('DIYARBAKIR')).toEqual(['Diyarbakır']);
    expect(await found('ΟΔΥΣΣΕΥΣ')).toEqual(['Οδυσσεύς']);
    expect(await found('STRASSE')).toEqual(['Straßenbau']);
    expect(await found('zoë')).toEqual(['Zoe\u0308 reads']);
    expect(await found('data')).toEqual(['Ｄａｔａ']);
    expect(await found('FINANCE')).toEqual(['ﬁnance']);
    expect(await found('eda')).toEqual([]);
  });

  it('by date contains both days whole, and an instant up to and including itself', async () => {
    const [before, first, last, after] = [
      '2026-01-31T23:59:59.999Z',
      '2026-02-01T00:00:00.000Z',
      '2026-02-03T23:59:59.999Z',
      '2026-02-04T00:00:00.000Z',
    ] as const;
    const idAt = (at: string) => `at-${at.replaceAll(':', '.')}`;
    for (const at of [before, first, last, after]) {
      await fixture.newRoom({ roomId: idAt(at) });
      await created(idAt(at), at);
    }
    const found = async (query: Query) => (await list(query)).rooms.map(({ createdAt }) => createdAt);
    expect(await found({ startDate: '2026-02-01', endDate: '2026-02-03' })).toEqual([last, first]);
    expect(await found({ startDate: first })).toEqual([after, last, first]);
    expect(await found({ endDate: last })).toEqual([last, first, before]);
    expect(await found({ endDate: first, startDate: first })).toEqual([first]);
    expect(await found({ startDate: '2026-02-01T01:00:00+01:00', endDate: '2026-02-01' })).toEqual([first]);
    // A class begins later than it was created; what has not begun is not found by its start.
    expect(await found({ startedFrom: '2020-01-01' })).toEqual([]);
    for (const at of [before, first, last])
      await fixture.setTime(await sidOf(idAt(at)), 'rooms.started_at', new Date(Date.parse(at) + 86_400_000));
    expect(await found({ startedFrom: '2026-02-02', startedTo: '2026-02-03' })).toEqual([first]);
    expect(await found({ startedFrom: '2026-02-04' })).toEqual([last]);
    expect(await found({ startedTo: '2026-02-01' })).toEqual([before]);
  });

  inLongForm(it)('finds a rare title among thousands of rooms in several pages that each end in time', async () => {
    const { roomId } = await fixture.newRoom({ title: 'A needle' });
    await created(roomId, '2020-01-01T00:00:00Z');
    const fill = (from: number, to: number) =>
      fixture.stack.rows(
        `INSERT INTO room.rooms (sid, organization_id, room_id, title, customization, state, media, created_at, ended_at)
         SELECT 'RM_' || lpad(n::text, 16, '0'), $1, 'hay-' || n, 'Hay', '{}', 'finished', 'closed', '2026-01-01'::timestamptz + n * interval '1 second', now()
           FROM generate_series($2::int, $3::int) n`,
        [fixture.organizationId, from, to],
      );
    await fill(1, 4_998);
    expect(await list({ title: 'needle' })).toMatchObject({ rooms: [{ roomId }], nextCursor: null });
    await fill(4_999, 5_000);
    const { rooms, nextCursor } = await list({ title: 'needle' });
    expect([rooms, nextCursor]).toEqual([[], expect.any(String)]);
    expect(await list({ title: 'needle', cursor: nextCursor ?? '' })).toMatchObject({ rooms: [{ roomId }], nextCursor: null });
  });

  it.each<[string, Query]>([
    ['endDate', { startDate: '2026-02-02', endDate: '2026-02-01' }],
    ['endDate', { startDate: '2026-02-02T00:00:00.000Z', endDate: '2026-02-01T23:59:59.999Z' }],
    ['startedTo', { startedFrom: '2026-02-02', startedTo: '2026-02-01' }],
    ['cursor', { cursor: 'none' }],
    ['startDate', { startDate: '2026-13-01' }],
    ['title', { title: '' }],
  ])('is refused with the name of the parameter: %s', async (field, query) => {
    expect(await refusal(list(query))).toBe(`VALIDATION_FAILED ${field}`);
  });
});

describe('the participants of a room', () => {
  type People = Partial<Omit<RpcRequest<typeof listParticipants>, 'organizationId'>>;
  const people = ({ limit = 100, ...query }: People & { roomId: string }) => fixture.asBackend(listParticipants, { limit, ...query });

  it('are those who are present, who left, who were removed and who never came, in the order of uids', async () => {
    const { room, people: members } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const { roomId } = room;
    await fixture.join(room, 'never');
    await members[1].leave();
    await eventually(async () => expect(await fixture.state(room.sid)).toMatchObject({ count: 1 }));
    const all = await people({ roomId });
    const [student, teacher] = [members[1].uid, members[0].uid];
    const shared = { photoURL: null, removedAt: null, joinedAt: null, leftAt: null, isConnected: false };
    expect(all).toEqual({
      nextCursor: null,
      participants: [
        { ...shared, uid: 'never', name: nameOf('never'), role: 'STUDENT' },
        { ...shared, uid: student, name: nameOf(student), role: 'STUDENT', joinedAt: expect.any(String), leftAt: expect.any(String) },
        { ...shared, uid: teacher, name: nameOf(teacher), role: 'TEACHER', joinedAt: expect.any(String), isConnected: true },
      ],
    });
    const uids = async (query: People) => (await people({ roomId, ...query })).participants.map(({ uid }) => uid);
    expect(await uids({ isConnected: true })).toEqual([teacher]);
    expect(await uids({ isConnected: false })).toEqual(['never', student]);
    const first = await people({ roomId, limit: 2 });
    expect(first.participants.map(({ uid }) => uid)).toEqual(['never', student]);
    expect(await people({ roomId, limit: 2, cursor: first.nextCursor ?? '' })).toEqual({
      participants: [all.participants[2]],
      nextCursor: null,
    });
    expect((await people({ roomId, limit: 3 })).nextCursor).toBeNull();
    expect(await refusal(people({ roomId, cursor: 'x' }))).toBe('VALIDATION_FAILED cursor');
    expect(await refusal(people({ roomId: 'never' }))).toBe('ROOM_NOT_FOUND');

    const one = (uid: string, of = roomId) => fixture.asBackend(getParticipant, { roomId: of, uid });
    expect(await one(teacher)).toEqual(all.participants[2]);
    expect(await refusal(one('stranger'))).toBe('PARTICIPANT_NOT_FOUND');
    expect(await refusal(one(teacher, 'never'))).toBe('ROOM_NOT_FOUND');
    expect(await refusal(one('EG_recorder'))).toBe('VALIDATION_FAILED uid');
    await fixture.asBackend(deleteRoom, { roomId });
    expect(await one(teacher)).toMatchObject({ isConnected: false, leftAt: expect.any(String) });
    fixture.organizationId = `org_${randomUUID()}`;
    expect(await refusal(people({ roomId }))).toBe('ROOM_NOT_FOUND');
  });

  it('fit into one message, and the names of students say whether they are complete', async () => {
    const { sid, roomId } = await fixture.newRoom();
    const names = () => fixture.asBackend(roomRpc.studentNames, { sid });
    await fixture.join({ roomId }, 'bob');
    expect(await names()).toEqual({ names: [nameOf('bob')], isComplete: true });
    await fixture.stack.rows(
      `INSERT INTO room.participants (sid, uid, name, role)
       SELECT $1, 'student-' || lpad(n::text, 4, '0'), repeat('課', 250) || n, 'STUDENT' FROM generate_series(1, 1000) n`,
      [sid],
    );
    const some = await names();
    expect(some.isComplete).toBe(false);
    expect(Buffer.byteLength(JSON.stringify(some.names))).toBeLessThanOrEqual(400 * 1024 + 1);
    expect(new Set(some.names).size).toBe(some.names.length);
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await people({ roomId, limit: 200, ...(cursor && { cursor }) });
      seen.push(...page.participants.map(({ uid }) => uid));
      cursor = page.nextCursor;
    }
    expect([seen.length, new Set(seen).size]).toEqual([1002, 1002]);
    fixture.organizationId = `org_${randomUUID()}`;
    expect(await names()).toEqual({ names: [], isComplete: true });
  });
});

describe('the summary', () => {
  const summary = (roomId: string) => fixture.asBackend(getRoomSummary, { roomId });

  it('adds up the seconds of all connections and counts people once', async () => {
    const { sid, roomId } = await fixture.newRoom();
    expect(await summary(roomId)).toEqual({
      roomId,
      roomName: 'A class',
      totalCredits: 0,
      totalParticipants: 0,
      avgStay: 0,
      timestamps: { startedAt: null, endedAt: null },
      status: 'live',
    });
    await fixture.asBackend(deleteRoom, { roomId });
    await fixture.stack.rows(
      `INSERT INTO room.connections_by_month (connection_sid, sid, uid, name, role, joined_at, left_at, opened_by, closed_by, is_counted, version, month)
       SELECT $1 || n, $1, uid, uid, 'STUDENT', '2026-01-01', '2026-01-01'::timestamptz + make_interval(secs => s), 'webhook', 'webhook', counts, n,
              room.connection_month(created_at)
         FROM (VALUES (1, 'a', 30, true), (2, 'a', 31, true), (3, 'b', 60, true), (4, 'c', 9999, false)) v(n, uid, s, counts), room.rooms
        WHERE rooms.sid = $1`,
      [sid],
    );
    // 121 seconds are three begun minutes.
    expect(await summary(roomId)).toMatchObject({ totalCredits: 3, totalParticipants: 2, avgStay: 61, status: 'finished' });
    await fixture.age(sid, 1, 'connections_by_month.left_at', 'b');
    expect(await summary(roomId)).toMatchObject({ totalCredits: 2, avgStay: 60 });
    expect(await refusal(summary('never'))).toBe('ROOM_NOT_FOUND');
    fixture.organizationId = `org_${randomUUID()}`;
    expect(await refusal(summary(roomId))).toBe('ROOM_NOT_FOUND');
    expect(await fixture.asBackend(getRoomStatus, { roomId })).toEqual({ exists: false, isActive: false, roomId });
  });

  it('counts an open connection up to now', async () => {
    const { room } = await fixture.classOf(['TEACHER']);
    await fixture.age(room.sid, 600, 'connections_by_month.joined_at');
    const { totalCredits, timestamps } = await summary(room.roomId);
    expect(totalCredits).toBeGreaterThanOrEqual(10);
    expect(totalCredits).toBeLessThanOrEqual(11);
    expect(timestamps).toEqual({ startedAt: (await fixture.state(room.sid)).startedAt?.toISOString(), endedAt: null });
  });
});

it('finished rooms are returned in the order of their ends, after and before exact positions', async () => {
  const made = await Promise.all(Array.from({ length: 3 }, () => fixture.newRoom()));
  await fixture.newRoom();
  for (const { roomId } of made) await fixture.asBackend(deleteRoom, { roomId });
  const [first, second, third] = made.map(({ sid }) => sid).sort();
  const [same, later] = ['2031-01-01T00:00:00.000Z', '2031-01-01T00:00:01.000Z'];
  const finish = (sid: string | undefined, at: string) => fixture.setTime(sid ?? '', 'rooms.finished_at', new Date(at));
  await finish(first, same);
  await finish(second, same);
  await finish(third, later);
  const since = async (after: string, afterSid: string | undefined, before: string, limit = 10) =>
    (await fixture.call(roomRpc.finishedSince, { after, afterSid, before, limit })).rooms.map(({ sid }) => sid);
  const end = '2032-01-01T00:00:00.000Z';
  expect(await since('2030-12-31T23:59:59.999Z', undefined, end)).toEqual([first, second, third]);
  expect(await since(same, first, end)).toEqual([second, third]);
  expect(await since(same, first, later)).toEqual([second]);
  expect(await since(same, second, end, 1)).toEqual([third]);
  expect(await since(later, third, end)).toEqual([]);
  const { rooms } = await fixture.call(roomRpc.finishedSince, { after: same, afterSid: second, before: end, limit: 1 });
  const { endedAt } = await fixture.state(third ?? '');
  expect(rooms).toMatchObject([
    {
      sid: third,
      organizationId: fixture.organizationId,
      title: 'A class',
      startedAt: null,
      endedAt: endedAt?.toISOString(),
      writtenAt: later,
    },
  ]);
});

it('the gauges show rooms by state, people, and how long ago LiveKit confirmed them', async () => {
  const sample = (name: string, ...labels: string[]) => metricSample(fixture.stack, 'room', name, ...labels);
  const read = async () => ({
    live: await sample('classroom_room_rooms', 'state="live"'),
    created: await sample('classroom_room_rooms', 'state="created"'),
    people: await sample('classroom_room_participants'),
  });
  const { live = 0, created: waiting = 0, people = 0 } = await read();
  await fixture.newRoom();
  const { room } = await fixture.classOf(['TEACHER', 'STUDENT']);
  expect(await read()).toEqual({ live: live + 1, created: waiting + 1, people: people + 2 });
  await eventually(async () => expect((await fixture.state(room.sid)).verifiedAt).not.toBeNull());
  await fixture.livekit.faults({ lists: { mode: 'unavailable' } });
  await fixture.setTime(room.sid, 'rooms.verified_at', ago(3_600));
  expect(await sample('classroom_room_verified_age_seconds')).toBeGreaterThanOrEqual(3_600);
  await fixture.stack.rows(`UPDATE room.live_rooms SET reconcile_at = now() + interval '1 hour', retry_at = NULL`);
  await eventually(async () => expect(await sample('classroom_reconcile_overdue_rooms')).toBe(0));
  await fixture.livekit.clearFaults();
  await fixture.asBackend(deleteRoom, { roomId: room.roomId });
  expect(await read()).toMatchObject({ live, created: waiting + 1, people });
});

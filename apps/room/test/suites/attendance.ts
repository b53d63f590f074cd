import { randomUUID } from 'node:crypto';
import {
  attendanceEvaluated,
  changeRoom,
  createRoom,
  deleteRoom,
  erasureRpc,
  getRoom,
  roomFinished,
  roomRpc,
  setPreset,
  type AttendancePolicy,
} from '@classroom/contracts';
import { eventually } from '@classroom/testing';
import { refusal, type NewRoom, type RoomFixture } from '../support/room-fixture.js';
import { sharedFixture } from '../support/shared-fixture.js';

const BUILT_IN = { lateAfter: 300, leftBefore: 300, minimumPresence: 50, reconnectGrace: 60 };
const HOUR_MS = 3_600_000;

let fixture: RoomFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});
beforeEach(() => {
  fixture.organizationId = `org_${randomUUID()}`;
});

const roomOf = (roomId: string) => fixture.asBackend(getRoom, { roomId });
const change = (roomId: string, changes: object) => fixture.asBackend(changeRoom, { roomId, change: changes });
const basisOf = (roomId: string, after?: string) =>
  fixture.asBackend(roomRpc.attendanceBasis, { roomId, now: new Date().toISOString(), after });
const expected = (...uids: string[]) => uids.map((uid) => ({ uid, name: `Name of ${uid}` }));

/** Moves the connections of a participant to minutes after `start`. */
async function moveStays({ sid }: NewRoom, uid: string, start: Date, joined: number, left: number | null): Promise<void> {
  const at = (minute: number | null) => (minute === null ? null : new Date(start.getTime() + minute * 60_000));
  await fixture.setTime(sid, 'connections_by_month.joined_at', at(joined), uid);
  await fixture.setTime(sid, 'connections_by_month.left_at', at(left), uid);
}

describe('an attendance policy', () => {
  const policyOf = async (given: object, preset?: string, organizationAttendance?: AttendancePolicy) => {
    const request = { title: 'Algebra', participant: { uid: 'ada', name: 'Ada', role: 'TEACHER' as const } };
    const defaults = { ...(preset && { preset }), ...(organizationAttendance && { organizationAttendance }) };
    const { room } = await fixture.asBackend(createRoom, { roomId: randomUUID(), ...request, ...given, ...defaults });
    return (await roomOf(room.roomId)).settings.attendance;
  };

  it('is that of the request over that of the preset, the organization and the built-in one', async () => {
    const ofOrganization = { ...BUILT_IN, lateAfter: 100, leftBefore: 100 };
    await fixture.asBackend(setPreset, { presetName: 'strict', settings: { attendance: { leftBefore: 50, minimumPresence: 90 } } });
    await fixture.asBackend(setPreset, { presetName: 'free', settings: { attendance: null } });
    const request = { settings: { attendance: { minimumPresence: 80 } } };
    expect(await policyOf({})).toBeNull();
    expect(await policyOf({ settings: { attendance: {} } })).toEqual(BUILT_IN);
    expect(await policyOf({ roster: expected('bob') })).toEqual(BUILT_IN);
    expect(await policyOf({}, undefined, ofOrganization)).toEqual(ofOrganization);
    expect(await policyOf(request, 'strict', ofOrganization)).toEqual({ ...ofOrganization, leftBefore: 50, minimumPresence: 80 });
    expect(await policyOf({}, 'free', ofOrganization)).toBeNull();
    expect(await policyOf({ settings: { attendance: null }, roster: expected('bob') }, 'strict', ofOrganization)).toBeNull();
  });

  it('and a roster are changed, removed, and of no other organization', async () => {
    const { roomId } = await fixture.newRoom({ roster: expected('bob', 'eve') });
    expect(await change(roomId, { settings: { attendance: { lateAfter: 0 } } })).toMatchObject({
      attendance: { ...BUILT_IN, lateAfter: 0 },
    });
    await change(roomId, { roster: [{ uid: 'zoe' }] });
    expect(await roomOf(roomId)).toMatchObject({ rosterSize: 1, settings: { attendance: { lateAfter: 0 } } });
    const own = fixture.organizationId;
    fixture.organizationId = `org_${randomUUID()}`;
    expect(await refusal(change(roomId, { roster: [] }))).toBe('ROOM_NOT_FOUND');
    expect(await refusal(basisOf(roomId))).toBe('ROOM_NOT_FOUND');
    fixture.organizationId = own;
    expect(await change(roomId, { settings: { attendance: null }, roster: null })).toMatchObject({ attendance: null });
    expect(await roomOf(roomId)).toMatchObject({ rosterSize: 0 });
    expect(await change(roomId, { roster: expected('ann') })).toMatchObject({ attendance: BUILT_IN });
  });
});

describe('the attendance of a class', () => {
  it('is published with its end: who was present, late, left early or absent, on the roster or not', async () => {
    const roster = expected('teacher-0', 'student-1', 'student-2', 'student-3', 'never');
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT', 'STUDENT', 'STUDENT', 'STUDENT'], { roster, attendance: {} });
    await people[2].leave();
    await people[3].leave();
    await eventually(async () => expect(await fixture.state(room.sid)).toMatchObject({ count: 3, verifiedAt: expect.any(Date) }));
    const start = new Date(Math.floor((Date.now() - HOUR_MS) / 1000) * 1000);
    await moveStays(room, 'teacher-0', start, 0, null);
    await moveStays(room, 'student-1', start, 6, null);
    await moveStays(room, 'student-2', start, 0, 50);
    await moveStays(room, 'student-3', start, 20, 40);
    await moveStays(room, 'student-4', start, 5, null);
    await fixture.setTime(room.sid, 'rooms.started_at', start);
    expect(await basisOf(room.roomId)).toMatchObject({ basis: { lesson: [start.getTime() / 1000, expect.any(Number)] }, next: null });
    const { endedAt } = await fixture.asBackend(deleteRoom, { roomId: room.roomId });
    await eventually(async () => expect(await fixture.facts(roomFinished, room.sid)).toHaveLength(1));
    const [evaluated, ...more] = await fixture.facts(attendanceEvaluated, room.sid);
    expect(more).toEqual([]);
    const lessonEnd = Math.floor(Date.parse(endedAt) / 1000);
    const early = lessonEnd - start.getTime() / 1000;
    expect(evaluated).toEqual({
      organizationId: fixture.organizationId,
      sid: room.sid,
      roomId: room.roomId,
      title: 'A class',
      policy: BUILT_IN,
      lessonStart: start.toISOString(),
      lessonEnd: new Date(lessonEnd * 1000).toISOString(),
      counts: { present: 1, late: 1, leftEarly: 1, absent: 2 },
      people: [
        { uid: 'never', role: null, status: 'ABSENT', secondsLate: null, secondsLeftEarly: null, isOnRoster: true },
        { uid: 'student-3', role: 'STUDENT', status: 'ABSENT', secondsLate: 1_200, secondsLeftEarly: early - 2_400, isOnRoster: true },
        { uid: 'student-1', role: 'STUDENT', status: 'LATE', secondsLate: 360, secondsLeftEarly: 0, isOnRoster: true },
        { uid: 'student-2', role: 'STUDENT', status: 'LEFT_EARLY', secondsLate: 0, secondsLeftEarly: early - 3_000, isOnRoster: true },
        { uid: 'student-4', role: 'STUDENT', status: 'PRESENT', secondsLate: 300, secondsLeftEarly: 0, isOnRoster: false },
        { uid: 'teacher-0', role: 'TEACHER', status: 'PRESENT', secondsLate: 0, secondsLeftEarly: 0, isOnRoster: true },
      ],
      furtherPeople: 0,
    });
  });

  it('names 200 people at most and counts all of them, also if no participant came', async () => {
    const roster = Array.from({ length: 1_000 }, (_, index) => ({ uid: `u-${index}`, name: 'ж'.repeat(256) }));
    const startsAt = new Date(Date.now() - HOUR_MS).toISOString();
    const { roomId, sid } = await fixture.newRoom({ startsAt, roster });
    const uids: string[] = [];
    for (let after: string | null | undefined; after !== null;) {
      const page = await basisOf(roomId, after);
      uids.push(...page.roster.map(({ uid }) => uid));
      after = page.next;
    }
    expect(uids.toSorted()).toEqual(roster.map(({ uid }) => uid).toSorted());
    await fixture.asBackend(deleteRoom, { roomId });
    await eventually(async () => {
      const facts = await fixture.facts(attendanceEvaluated, sid);
      expect(facts).toMatchObject([{ counts: { absent: 1_000, present: 0 }, furtherPeople: 800 }]);
      expect(facts[0]?.people).toHaveLength(200);
    });
  });

  it('is not published without a policy, nor if there was no lesson', async () => {
    const { room } = await fixture.classOf(['TEACHER']);
    const unused = await fixture.newRoom({ roster: expected('bob') });
    for (const { roomId } of [room, unused]) await fixture.asBackend(deleteRoom, { roomId });
    for (const { sid } of [room, unused]) {
      await eventually(async () => expect(await fixture.facts(roomFinished, sid)).toHaveLength(1));
      expect(await fixture.facts(attendanceEvaluated, sid)).toEqual([]);
    }
  });
});

describe('the erasure of people on rosters', () => {
  const STARTED = new Date(Date.now() - HOUR_MS).toISOString();
  const erase = (subject: { uid: string } | { roomId: string }) => {
    const erasureId = randomUUID();
    return eventually(async () => {
      const outcome = await fixture.asBackend(erasureRpc.room, { erasureId, subject, readThrough: 0 });
      expect(outcome.isComplete).toBe(true);
      return outcome;
    });
  };
  const uidsOf = async ({ roomId }: NewRoom) => (await basisOf(roomId)).roster.map(({ uid }) => uid);

  it('takes a person out of every class at once', async () => {
    const rooms = [
      await fixture.newRoom({ startsAt: STARTED, roster: expected('bob', 'eve') }),
      await fixture.newRoom({ startsAt: STARTED, roster: expected('bob') }),
    ];
    expect((await erase({ uid: 'bob' })).counts).toMatchObject({ 'roster entries': 2 });
    expect(await Promise.all(rooms.map(uidsOf))).toEqual([['eve'], []]);
  });

  it('takes everyone out of a class when it is over', async () => {
    const [room, other] = [
      await fixture.newRoom({ startsAt: STARTED, roster: expected('bob', 'eve') }),
      await fixture.newRoom({ startsAt: STARTED, roster: expected('bob') }),
    ];
    const request = { erasureId: randomUUID(), subject: { roomId: room.roomId }, readThrough: 0 };
    expect(await fixture.asBackend(erasureRpc.room, request)).toMatchObject({ isComplete: false });
    expect(await uidsOf(room)).toEqual(['bob', 'eve']);
    await fixture.asBackend(deleteRoom, { roomId: room.roomId });
    expect((await erase({ roomId: room.roomId })).counts).toMatchObject({ 'roster entries': 2 });
    expect(await Promise.all([room, other].map(uidsOf))).toEqual([[], ['bob']]);
  });
});

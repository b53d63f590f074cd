import {
  deleteRoom,
  endClass,
  engagementRpc,
  engagementSummarized,
  getRoomStatus,
  joinRoom,
  participantConnection,
  raiseHand,
  removeParticipant,
  roomFinished,
  roomStarted,
} from '@classroom/contracts';
import { connectionsOf, eventually, inLongForm } from '@classroom/testing';
import { expectFactsMatchRows } from './support/facts-match-rows.js';
import { ago, refusal, RoomFixture } from './support/room-fixture.js';

const DAY_MS = 86_400_000;
/** Seconds after which a class is summarized. */
const LATE_S = 300;

let fixture: RoomFixture;
beforeAll(async () => {
  fixture = await RoomFixture.start();
});
afterEach(async () => {
  await fixture.livekit.clearFaults();
  await fixture.stack.moveClock(0);
});
afterAll(async () => {
  await expectFactsMatchRows(fixture).finally(() => fixture.stop());
});

const end = (roomId: string) => fixture.asBackend(deleteRoom, { roomId });
const finishedFact = async (sid: string) =>
  eventually(async () => {
    const facts = await fixture.facts(roomFinished, sid);
    expect(facts).toHaveLength(1);
    return facts[0];
  });
const become = (sid: string, state: string) => eventually(async () => expect(await fixture.state(sid)).toMatchObject({ state }));

describe('a class ended by the backend', () => {
  it('disconnects everyone, and is published once with the totals of its connections', async () => {
    const { room } = await fixture.classOf(['TEACHER', 'STUDENT']);
    // The ends that LiveKit reports afterwards would give the rows further versions.
    await fixture.livekit.faults({ webhooks: { lossRate: 1 } });
    const ended = await end(room.roomId);
    expect(ended).toEqual({ roomId: room.roomId, participantsDisconnected: 2, wasRecording: false, endedAt: expect.any(String) });
    expect(await fixture.isInLiveKit(room.sid)).toBe(false);
    expect(await fixture.state(room.sid)).toMatchObject({ state: 'finished', media: 'closed', count: 0, dueAt: null });
    expect(await fixture.asBackend(getRoomStatus, { roomId: room.roomId })).toMatchObject({ isActive: false, hasTeacher: false });
    const finished = await finishedFact(room.sid);
    const [started] = await fixture.facts(roomStarted, room.sid);
    const { organizationId } = fixture;
    const rows = await connectionsOf(fixture.stack, room.sid);
    const { version } = await fixture.state(room.sid);
    expect(rows.map((row) => row.version).sort()).toEqual([version - 1, version]);
    expect(finished).toEqual({
      organizationId,
      sid: room.sid,
      roomId: room.roomId,
      title: 'A class',
      startedAt: started?.startedAt,
      endedAt: ended.endedAt,
      reason: 'deleted',
      connections: 2,
      totalSeconds: rows.reduce((sum, { joinedAt, leftAt }) => sum + ((leftAt?.getTime() ?? NaN) - joinedAt.getTime()) / 1000, 0),
      versionSum: 2 * version - 1,
      lastVersion: version,
      budgetVersion: 0,
    });
    const closings = (await fixture.facts(participantConnection, room.sid)).filter(({ leftAt }) => leftAt !== null);
    expect(closings.map((closing) => [closing.closedBy, closing.version])).toEqual([
      ['room_end', version - 1],
      ['room_end', version],
    ]);
  });

  it('cannot be ended, joined or moderated again', async () => {
    const room = await fixture.newRoom();
    expect(await end(room.roomId)).toMatchObject({ participantsDisconnected: 0 });
    expect(await refusal(end(room.roomId))).toBe('ROOM_ENDED');
    expect(await refusal(end('never'))).toBe('ROOM_NOT_FOUND');
    expect(await refusal(fixture.join(room, 'bob'))).toBe('ROOM_ENDED');
    expect(await refusal(fixture.asBackend(removeParticipant, { roomId: room.roomId, uid: 'ada' }))).toBe('ROOM_ENDED reason');
    await expect(fixture.livekit.connect(room.token)).rejects.toMatchObject({ status: 404 });
    expect(await finishedFact(room.sid)).toMatchObject({ startedAt: null, connections: 0, totalSeconds: 0, versionSum: 0, lastVersion: 0 });
  });

  it('ends immediately while LiveKit is unreachable, and is deleted from LiveKit when it answers', async () => {
    const { room } = await fixture.classOf(['TEACHER']);
    await fixture.livekit.faults({ api: { mode: 'refuse' } });
    expect(await end(room.roomId)).toMatchObject({ participantsDisconnected: 1 });
    expect(await fixture.state(room.sid)).toMatchObject({ state: 'finished', media: 'closing' });
    await fixture.livekit.clearFaults();
    await eventually(async () => expect(await fixture.state(room.sid)).toMatchObject({ media: 'closed' }));
    expect(await fixture.isInLiveKit(room.sid)).toBe(false);
  });

  inLongForm(it)('is deleted from LiveKit also if the process is killed after the commit', async () => {
    const { room } = await fixture.classOf(['TEACHER']);
    await fixture.stack.app('room').restart({ FAILPOINTS: 'room.end.after-commit=crash' });
    const call = refusal(fixture.call(deleteRoom, { organizationId: fixture.organizationId, roomId: room.roomId }, 2_000));
    await fixture.stack.app('room').exited;
    expect(await fixture.isInLiveKit(room.sid)).toBe(true);
    await fixture.stack.app('room').start();
    expect(await call).toBe('SERVICE_UNAVAILABLE');
    await eventually(async () => expect(await fixture.isInLiveKit(room.sid)).toBe(false));
    expect(await finishedFact(room.sid)).toMatchObject({ reason: 'deleted' });
  });
});

describe('a class ended in class', () => {
  it('by its teacher disconnects everyone, and states why to those who still ask', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT', 'STUDENT']);
    const [teacher, student] = people;
    expect(await teacher.act(endClass, {})).toMatchObject({ roomId: room.roomId, participantsDisconnected: 3 });
    expect(await fixture.isInLiveKit(room.sid)).toBe(false);
    await expect(student.state()).rejects.toMatchObject({ code: 'ROOM_ENDED', details: [{ path: 'reason', message: 'class_ended' }] });
    expect(await finishedFact(room.sid)).toMatchObject({ reason: 'class_ended', connections: 3 });
    expect(await refusal(teacher.act(endClass, {}))).toBe('ROOM_ENDED reason');
  });
});

describe('a class that is over', () => {
  it('is summarized once, when pages no longer report of it, wherever the service is killed', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    await people[1].act(raiseHand, { raised: true });
    await fixture.join(room, 'absent');
    await end(room.roomId);
    const { endedAt } = await fixture.state(room.sid);
    await fixture.stack.moveClock(LATE_S * 1000 - 60_000);
    const witness = await fixture.newRoom({ emptyTimeout: 1 });
    await fixture.visited(witness.sid);
    await become(witness.sid, 'finished');
    expect(await fixture.facts(engagementSummarized, room.sid)).toEqual([]);
    const app = fixture.stack.app('room');
    await app.stop();
    // A process that starts does not know how far the clock was moved.
    await fixture.age(room.sid, LATE_S, 'rooms.schedule_due_at');
    app.launch({ FAILPOINTS: 'room.summary.before-commit=crash' });
    expect((await app.exited).signal).toBe('SIGKILL');
    await app.start();
    await eventually(async () => expect(await fixture.facts(engagementSummarized, room.sid)).toHaveLength(1));
    await fixture.stack.moveClock(DAY_MS);
    await eventually(async () => expect(await fixture.facts(engagementSummarized, witness.sid)).toHaveLength(1));
    const { participants: all } = await fixture.asBackend(engagementRpc.page, { roomId: room.roomId, limit: 200 });
    expect(await fixture.facts(engagementSummarized, room.sid)).toMatchObject([
      {
        roomId: room.roomId,
        endedAt: endedAt?.toISOString(),
        totals: { participants: 2, connections: 2, handsRaised: 1, talkSeconds: null },
        participants: all,
        furtherParticipants: 0,
      },
    ]);
    expect(all.map(({ uid }) => uid)).toEqual(['absent', ...people.map(({ uid }) => uid).sort()]);
  });

  it('is summarized without who is erased at the same moment', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    await end(room.roomId);
    // As an erasure does it, which ends when the summary waits for it.
    const erasing = fixture.stack.rows(
      `DO $$ BEGIN
         PERFORM FROM room.rooms WHERE sid = '${room.sid}' FOR UPDATE;
         WHILE NOT EXISTS (SELECT FROM pg_locks WHERE NOT granted) LOOP PERFORM pg_sleep(0.01); END LOOP;
         UPDATE room.participants SET uid = 'erased#0123456789abcdef', name = 'Erased' WHERE sid = '${room.sid}' AND uid = '${people[1].uid}';
       END $$`,
    );
    await fixture.stack.moveClock(LATE_S * 1000 + 60_000);
    await erasing;
    const [summary] = await eventually(async () => {
      const facts = await fixture.facts(engagementSummarized, room.sid);
      expect(facts).toHaveLength(1);
      return facts;
    });
    expect(JSON.stringify(summary)).not.toContain(people[1].uid);
    expect(summary?.participants.map(({ uid }) => uid)).toEqual(expect.arrayContaining(['erased#0123456789abcdef', people[0].uid]));
  });
});

describe('an empty class', () => {
  it('ends exactly emptyTimeout after the last leave, and not earlier', async () => {
    const { sid } = await fixture.newRoom({ emptyTimeout: 600 });
    await fixture.visited(sid);
    const { lastLeftAt, dueAt } = await fixture.state(sid);
    expect(dueAt).toEqual(new Date((lastLeftAt?.getTime() ?? 0) + 600_000));
    await fixture.stack.moveClock((dueAt?.getTime() ?? 0) - Date.now() - 120_000);
    const witness = await fixture.newRoom({ emptyTimeout: 1 });
    await fixture.visited(witness.sid);
    await become(witness.sid, 'finished');
    expect(await fixture.state(sid)).toMatchObject({ state: 'live', dueAt });
    await fixture.stack.moveClock((dueAt?.getTime() ?? 0) - Date.now() + 1_000);
    await become(sid, 'finished');
    expect((await fixture.state(sid)).endedAt).toEqual(dueAt);
    expect(await finishedFact(sid)).toMatchObject({ reason: 'empty', connections: 1, endedAt: dueAt?.toISOString() });
  });

  it('continues if a participant returns before the deadline', async () => {
    const { sid, token } = await fixture.newRoom({ emptyTimeout: 60 });
    await fixture.visited(sid);
    await fixture.livekit.connect(token);
    await eventually(async () => expect(await fixture.state(sid)).toMatchObject({ count: 1, dueAt: null }));
    await fixture.stack.moveClock(120_000);
    const witness = await fixture.newRoom({ emptyTimeout: 1 });
    await fixture.visited(witness.sid);
    await become(witness.sid, 'finished');
    expect(await fixture.state(sid)).toMatchObject({ state: 'live', count: 1 });
  });

  it('continues if LiveKit has a participant whose join was lost', async () => {
    const { sid, token } = await fixture.newRoom({ emptyTimeout: 60 });
    await fixture.visited(sid);
    await fixture.livekit.faults({ webhooks: { lossRate: 1 } });
    const { sid: connectionSid } = await fixture.livekit.connect(token);
    await fixture.stack.moveClock(120_000);
    await eventually(async () => expect(await fixture.state(sid)).toMatchObject({ state: 'live', count: 1, dueAt: null }));
    const connections = await connectionsOf(fixture.stack, sid);
    expect(connections.filter((it) => it.connectionSid === connectionSid)).toMatchObject([{ openedBy: 'reconciler' }]);
  });

  it('is not kept open by a recorder', async () => {
    const { sid } = await fixture.newRoom({ emptyTimeout: 60 });
    await fixture.visited(sid);
    await fixture.livekit.connect({ room: sid, identity: 'EG_1', kind: 'EGRESS', hidden: true });
    await fixture.stack.moveClock(62_000);
    await become(sid, 'finished');
  });
});

describe('an unused room', () => {
  it('ends after 30 days, and not a minute earlier', async () => {
    const { sid, roomId } = await fixture.newRoom();
    const { dueAt } = await fixture.state(sid);
    await fixture.stack.moveClock(30 * DAY_MS - 60_000);
    const witness = await fixture.newRoom({ emptyTimeout: 1 });
    await fixture.setTime(witness.sid, 'rooms.due_at', (await fixture.state(witness.sid)).createdAt);
    await become(witness.sid, 'finished');
    expect(await fixture.state(sid)).toMatchObject({ state: 'created', dueAt });
    await fixture.stack.moveClock(30 * DAY_MS + 5_000);
    await become(sid, 'finished');
    expect(await finishedFact(sid)).toMatchObject({ reason: 'unused', startedAt: null });
    expect(await refusal(fixture.join({ roomId }, 'bob'))).toBe('ROOM_ENDED');
  });

  /** A room is removed three minutes after its tokens have expired. */
  const REMOVED_S = 182;
  const expire = (sid: string, seconds = REMOVED_S) => fixture.setTime(sid, 'rooms.tokens_expire_at', ago(seconds));

  it('whose tokens expired is removed from LiveKit, and created again by the next join or session', async () => {
    const room = await fixture.newRoom();
    const member = await fixture.member(room, 'bob');
    await expire(room.sid);
    await eventually(async () => expect(await fixture.state(room.sid)).toMatchObject({ state: 'created', media: 'closed' }));
    expect(await fixture.isInLiveKit(room.sid)).toBe(false);
    expect(await fixture.asBackend(getRoomStatus, { roomId: room.roomId })).toMatchObject({ exists: true, isActive: false });
    // A full list of LiveKit's rooms, and so a pass of the reconciler, does not create it again.
    const lost = await fixture.newRoom();
    await fixture.admin.deleteRoom(lost.sid);
    await eventually(async () => expect(await fixture.isInLiveKit(lost.sid)).toBe(true));
    expect(await fixture.isInLiveKit(room.sid)).toBe(false);

    const participant = { uid: 'late', name: 'Late', role: 'STUDENT' as const };
    const { token } = await fixture.asBackend(joinRoom, { roomId: room.roomId, participant });
    expect(await fixture.isInLiveKit(room.sid)).toBe(true);
    await expire(room.sid);
    await eventually(async () => expect(await fixture.isInLiveKit(room.sid)).toBe(false));
    await fixture.member(room, member.uid);
    expect(await fixture.isInLiveKit(room.sid)).toBe(true);
    await fixture.livekit.connect(token);
    await eventually(async () => expect(await fixture.state(room.sid)).toMatchObject({ state: 'live', media: 'open', count: 1 }));
  });

  it('is not removed from LiveKit while a participant is in it, whose join was lost', async () => {
    const { sid, token } = await fixture.newRoom();
    await fixture.livekit.faults({ webhooks: { lossRate: 1 } });
    await fixture.livekit.connect(token);
    await expire(sid);
    await eventually(async () => expect(await fixture.state(sid)).toMatchObject({ state: 'live', media: 'open', count: 1 }));
    expect((await fixture.livekit.truth(sid)).map(({ disconnectedAt }) => disconnectedAt)).toEqual([undefined]);
  });

  it('stays in LiveKit until its tokens have expired', async () => {
    const [early, late] = [await fixture.newRoom(), await fixture.newRoom()];
    await expire(early.sid, -60);
    await expire(late.sid);
    await eventually(async () => expect(await fixture.isInLiveKit(late.sid)).toBe(false));
    expect(await fixture.state(early.sid)).toMatchObject({ media: 'open' });
  });
});

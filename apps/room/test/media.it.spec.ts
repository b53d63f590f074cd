import { createRoom, deleteRoom, getRoomStatus, roomCreated } from '@classroom/contracts';
import { byForm, eventually, inLongForm, roomsNamed } from '@classroom/testing';
import { randomUUID } from 'node:crypto';
import { expectFactsMatchRows } from './support/facts-match-rows.js';
import { ago, refusal, RoomFixture } from './support/room-fixture.js';

let fixture: RoomFixture;
beforeAll(async () => {
  fixture = await RoomFixture.start();
});
afterEach(() => fixture.livekit.clearFaults());
afterAll(async () => {
  await expectFactsMatchRows(fixture).finally(() => fixture.stop());
});

describe('a room that LiveKit lost', () => {
  it('is created again with its settings; the connections end but the class does not', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT'], { maxParticipants: 7, emptyTimeout: 120 });
    const { startedAt } = await fixture.state(room.sid);
    await fixture.admin.deleteRoom(room.sid);
    await eventually(async () => expect(await fixture.state(room.sid)).toMatchObject({ state: 'live', count: 0, startedAt }));
    await eventually(async () => expect(await fixture.isInLiveKit(room.sid)).toBe(true));
    expect(await fixture.admin.listRooms([room.sid])).toMatchObject([{ maxParticipants: 7, departureTimeout: 180 }]);
    await people[0].connect();
    await eventually(async () => expect(await fixture.state(room.sid)).toMatchObject({ state: 'live', count: 1, dueAt: null }));
  });

  inLongForm(it)('with its node is created on another one, and everyone can return', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    await fixture.livekit.loseNode();
    await eventually(async () => expect(await fixture.admin.listParticipants(room.sid)).toEqual([]));
    await eventually(async () => expect(await fixture.state(room.sid)).toMatchObject({ state: 'live', count: 0 }));
    for (const member of people) await member.connect();
    await eventually(async () => expect(await fixture.state(room.sid)).toMatchObject({ state: 'live', count: 2 }));
  });

  it('while LiveKit was restarted without its records is created again, every open one', async () => {
    const rooms = await Promise.all([fixture.newRoom(), fixture.newRoom()]);
    const over = await fixture.newRoom();
    await fixture.asBackend(deleteRoom, { roomId: over.roomId });
    await fixture.livekit.kill();
    await fixture.livekit.start();
    await eventually(async () => expect(await Promise.all(rooms.map(({ sid }) => fixture.isInLiveKit(sid)))).toEqual([true, true]));
    expect(await fixture.isInLiveKit(over.sid)).toBe(false);
  });
});

describe('a room that LiveKit should not have', () => {
  it('is deleted there if its class has ended', async () => {
    const { sid, roomId } = await fixture.newRoom();
    await fixture.asBackend(deleteRoom, { roomId });
    await fixture.admin.createRoom({ name: sid });
    await eventually(async () => expect(await fixture.isInLiveKit(sid)).toBe(false));
  });

  it('is left alone if it is not ours', async () => {
    const name = `foreign-${randomUUID()}`;
    await fixture.admin.createRoom({ name, emptyTimeout: 600 });
    const lost = await fixture.newRoom();
    await fixture.admin.deleteRoom(lost.sid);
    await eventually(async () => expect(await fixture.isInLiveKit(lost.sid)).toBe(true));
    expect(await fixture.isInLiveKit(name)).toBe(true);
  });
});

describe('a creation', () => {
  const input = (roomId: string) => ({
    organizationId: fixture.organizationId,
    roomId,
    title: 'Algebra',
    participant: { uid: 'ada', name: 'Ada', role: 'TEACHER' as const },
  });
  const known = async (roomId: string) => (await roomsNamed(fixture.stack, roomId))[0];

  const places = byForm({ short: ['after-reserve'], long: ['after-reserve', 'after-livekit', 'after-commit'] });
  it.each(places)('of a process that is killed %s is completed by the sweep', async (place) => {
    const roomId = randomUUID();
    await fixture.stack.app('room').restart({ FAILPOINTS: `room.create.${place}=crash` });
    const interrupted = refusal(fixture.call(createRoom, input(roomId), 2_000));
    await fixture.stack.app('room').exited;
    await fixture.stack.app('room').start();
    expect(await interrupted).toBe('SERVICE_UNAVAILABLE');
    const { sid = '' } = (await known(roomId)) ?? {};
    await fixture.age(sid, 20, 'rooms.created_at');
    await eventually(async () => expect(await fixture.asBackend(getRoomStatus, { roomId })).toMatchObject({ exists: true }));
    expect(await fixture.isInLiveKit(sid)).toBe(true);
    await eventually(async () => expect(await fixture.facts(roomCreated, sid)).toHaveLength(1));
  });

  inLongForm(it)('that is younger than 15 s is left to the process that began it', async () => {
    const roomId = randomUUID();
    const [{ sid }, older] = [await fixture.newRoom({ roomId }), await fixture.newRoom()];
    const age = (...ages: [sid: string, seconds: number][]) =>
      fixture.stack.rows(
        `UPDATE room.rooms r SET state = 'creating', created_at = now() - make_interval(secs => a.seconds)
           FROM unnest($1::text[], $2::float8[]) a(sid, seconds) WHERE r.sid = a.sid`,
        [ages.map(([it]) => it), ages.map(([, seconds]) => seconds)],
      );
    await age([sid, 0], [older.sid, 16]);
    await eventually(async () => expect(await fixture.state(older.sid)).toMatchObject({ state: 'created' }));
    expect(await fixture.state(sid)).toMatchObject({ state: 'creating' });
    await age([sid, 16]);
    await eventually(async () => expect(await fixture.state(sid)).toMatchObject({ state: 'created' }));
  });

  inLongForm(it)('that was abandoned is deleted after an hour', async () => {
    await fixture.livekit.faults({ api: { mode: 'unavailable', methods: ['CreateRoom'] } });
    const [young, old] = [randomUUID(), randomUUID()];
    for (const roomId of [young, old]) expect(await refusal(fixture.call(createRoom, input(roomId)))).toBe('SERVICE_UNAVAILABLE');
    await fixture.livekit.clearFaults();
    for (const [roomId, minutes] of [
      [old, 61],
      [young, 58],
    ] as const) {
      await eventually(async () => expect(await known(roomId)).toMatchObject({ media: 'closed' }));
      await fixture.setTime((await known(roomId))?.sid ?? '', 'rooms.created_at', ago(minutes * 60));
    }
    // The loop that deletes them runs once a minute, first when the process starts.
    await fixture.stack.app('room').restart();
    await eventually(async () => expect(await known(old)).toBeUndefined());
    expect(await known(young)).toMatchObject({ state: 'abandoned' });
  });
});

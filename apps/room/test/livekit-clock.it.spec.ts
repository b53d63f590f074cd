import { joinRoom, removeRoomParticipant } from '@classroom/contracts';
import { eventually } from '@classroom/testing';
import { RoomBench } from './support/room-bench.js';

/** LiveKit refuses our tokens when its clock is more than a minute behind ours. */
describe.each([-45_000, 45_000])('with a LiveKit whose clock is %d ms ahead', (clockAheadMs) => {
  let bench: RoomBench;
  beforeAll(async () => {
    bench = await RoomBench.start({ clockAheadMs });
  }, 120_000);
  afterAll(() => bench?.stop(), 60_000);

  it('a class ends emptyTimeout after its teacher left, neither immediately nor later', async () => {
    const [short, long] = [await bench.newRoom(20), await bench.newRoom(60)];
    const before = Date.now();
    await Promise.all([bench.visited(short.sid), bench.visited(long.sid)]);
    const { lastLeftAt, dueAt } = await bench.state(long.sid);
    const ourLeave = (lastLeftAt?.getTime() ?? 0) - clockAheadMs;
    // The tolerance for whole seconds and for the precision of the Date header.
    expect(Math.abs((dueAt?.getTime() ?? 0) - ourLeave - 60_000)).toBeLessThanOrEqual(2_000);
    expect(Math.abs(ourLeave - before)).toBeLessThan(30_000);

    await bench.stack.moveClock(40_000);
    await eventually(async () => expect(await bench.state(short.sid)).toMatchObject({ state: 'finished' }));
    expect(await bench.state(long.sid)).toMatchObject({ state: 'live' });
    await bench.stack.moveClock(63_000);
    await eventually(async () => expect(await bench.state(long.sid)).toMatchObject({ state: 'finished' }));
    const { endedAt } = await bench.state(long.sid);
    expect(endedAt).toEqual(new Date((lastLeftAt?.getTime() ?? 0) + 60_000));
    await bench.stack.moveClock(0);
  }, 60_000);

  it('the time of a participant who returns with a token from before the removal is not counted', async () => {
    const { sid, roomId } = await bench.newRoom();
    await bench.call(joinRoom, { organizationId: bench.organizationId, roomId, participant: { uid: 'eve', name: 'Eve', role: 'STUDENT' } });
    const eve = { room: sid, identity: 'eve', attributes: { role: 'STUDENT' } };
    const { sid: first } = await bench.livekit.connect(eve);
    await eventually(async () => expect(await bench.state(sid)).toMatchObject({ state: 'live', count: 1 }));
    await bench.call(removeRoomParticipant, { organizationId: bench.organizationId, roomId, uid: 'eve' });
    await eventually(async () => expect(await bench.state(sid)).toMatchObject({ count: 0 }));

    await bench.livekit.connect(eve);
    await eventually(async () =>
      expect((await bench.livekit.truth(sid)).filter(({ disconnectedAt }) => disconnectedAt === undefined)).toEqual([]),
    );
    const { verifiedAt } = await bench.state(sid);
    await eventually(async () => expect((await bench.state(sid)).verifiedAt).not.toEqual(verifiedAt));
    const counted = await bench.stack.rows('SELECT connection_sid AS sid FROM room.connections WHERE sid = $1 AND is_counted', [sid]);
    expect(counted).toEqual([{ sid: first }]);
  }, 30_000);

  it('a deadline from a wrong estimate of that clock is corrected, and the class lasts until it', async () => {
    const { sid } = await bench.newRoom(300);
    await bench.visited(sid);
    const { dueAt } = await bench.state(sid);
    await bench.stack.rows(`UPDATE room.rooms SET due_at = now() WHERE sid = $1`, [sid]);
    await eventually(async () => {
      const corrected = await bench.state(sid);
      expect(corrected.state).toBe('live');
      expect(Math.abs((corrected.dueAt?.getTime() ?? 0) - (dueAt?.getTime() ?? 0))).toBeLessThanOrEqual(2_000);
    });
  }, 30_000);
});

import { joinRoom, removeParticipant } from '@classroom/contracts';
import { byForm, connectionsOf, eventually, sleep } from '@classroom/testing';
import { ago, RoomFixture } from './support/room-fixture.js';

/** LiveKit refuses our tokens when its clock is more than a minute behind ours. */
describe.each(byForm({ short: [-45_000], long: [-45_000, 45_000] }))('with a LiveKit whose clock is %d ms ahead', (clockAheadMs) => {
  let fixture: RoomFixture;
  beforeAll(async () => {
    fixture = await RoomFixture.start({ clockAheadMs });
  });
  afterAll(() => fixture?.stop());

  it('a class ends emptyTimeout after its teacher left, neither immediately nor later', async () => {
    const [short, long] = [await fixture.newRoom({ emptyTimeout: 20 }), await fixture.newRoom({ emptyTimeout: 600 })];
    const before = Date.now();
    await Promise.all([fixture.visited(short.sid), fixture.visited(long.sid)]);
    const { lastLeftAt, dueAt } = await fixture.state(long.sid);
    const ourLeave = (lastLeftAt?.getTime() ?? 0) - clockAheadMs;
    // The tolerance for whole seconds and for the precision of the Date header.
    expect(Math.abs((dueAt?.getTime() ?? 0) - ourLeave - 600_000)).toBeLessThanOrEqual(2_000);
    expect(ourLeave).toBeGreaterThan(before - 2_000);
    expect(ourLeave).toBeLessThan(Date.now() + 2_000);

    await fixture.stack.moveClock(40_000);
    await eventually(async () => expect(await fixture.state(short.sid)).toMatchObject({ state: 'finished' }));
    expect(await fixture.state(long.sid)).toMatchObject({ state: 'live' });
    await fixture.stack.moveClock(603_000);
    await eventually(async () => expect(await fixture.state(long.sid)).toMatchObject({ state: 'finished' }));
    const { endedAt } = await fixture.state(long.sid);
    expect(endedAt).toEqual(new Date((lastLeftAt?.getTime() ?? 0) + 600_000));
    await fixture.stack.moveClock(0);
  });

  it('a class of a maximum duration ends that long after its first join, by our clock, and an empty one not before its lesson', async () => {
    const { sid, token } = await fixture.newRoom({ maxDuration: 1_800, emptyTimeout: 1_800 });
    const before = Date.now();
    await fixture.livekit.connect(token);
    await eventually(async () => expect(await fixture.state(sid)).toMatchObject({ state: 'live' }));
    const step = async () => ((await fixture.state(sid)).scheduleDueAt?.getTime() ?? 0) - before;
    // The notice, ten minutes before the end.
    await eventually(async () => expect(Math.abs((await step()) - 1_200_000)).toBeLessThanOrEqual(5_000));

    const startsAt = new Date(Date.now() + 600_000);
    const early = await fixture.newRoom({ startsAt: startsAt.toISOString(), emptyTimeout: 20 });
    await fixture.visited(early.sid);
    const { dueAt } = await fixture.state(early.sid);
    expect(dueAt).toEqual(new Date(startsAt.getTime() + 20_000));
  });

  it('the time of a participant who returns with a token from before the removal is not counted', async () => {
    const { sid, roomId } = await fixture.newRoom();
    await fixture.call(joinRoom, {
      organizationId: fixture.organizationId,
      roomId,
      participant: { uid: 'eve', name: 'Eve', role: 'STUDENT' },
    });
    const eve = { room: sid, identity: 'eve', attributes: { role: 'STUDENT' } };
    const { sid: first } = await fixture.livekit.connect(eve);
    await eventually(async () => expect(await fixture.state(sid)).toMatchObject({ state: 'live', count: 1 }));
    await fixture.call(removeParticipant, { organizationId: fixture.organizationId, roomId, uid: 'eve' });
    await eventually(async () => expect(await fixture.state(sid)).toMatchObject({ count: 0 }));

    // LiveKit's clock is known to a second, and on a busy machine to a second more.
    await sleep(2_000);
    await fixture.livekit.connect(eve);
    await eventually(async () =>
      expect((await fixture.livekit.truth(sid)).filter(({ disconnectedAt }) => disconnectedAt === undefined)).toEqual([]),
    );
    const { verifiedAt } = await fixture.state(sid);
    await eventually(async () => expect((await fixture.state(sid)).verifiedAt).not.toEqual(verifiedAt));
    const counted = (await connectionsOf(fixture.stack, sid)).filter(({ isCounted }) => isCounted);
    expect(counted.map(({ connectionSid }) => connectionSid)).toEqual([first]);
  });

  it('a deadline from a wrong estimate of that clock is corrected, and the class lasts until it', async () => {
    const { sid } = await fixture.newRoom({ emptyTimeout: 300 });
    await fixture.visited(sid);
    const { dueAt } = await fixture.state(sid);
    await fixture.setTime(sid, 'rooms.due_at', ago(0));
    await eventually(async () => {
      const corrected = await fixture.state(sid);
      expect(corrected.state).toBe('live');
      expect(Math.abs((corrected.dueAt?.getTime() ?? 0) - (dueAt?.getTime() ?? 0))).toBeLessThanOrEqual(2_000);
    });
  });
});

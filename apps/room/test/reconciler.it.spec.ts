import { eventually } from '@classroom/testing';
import { RoomFixture } from './support/room-fixture.js';

let fixture: RoomFixture;
beforeAll(async () => {
  fixture = await RoomFixture.start();
});
afterEach(() => fixture.livekit.clearFaults());
afterAll(() => fixture?.stop());

const verifiedAt = async (sid: string) => (await fixture.state(sid)).verifiedAt?.getTime() ?? 0;

/** Waits until LiveKit has confirmed the room `times` more times. */
async function verified(sid: string, times: number, withinMs: number): Promise<void> {
  const seen = new Set([await verifiedAt(sid)]);
  await eventually(async () => expect(seen.add(await verifiedAt(sid)).size).toBeGreaterThan(times), withinMs);
}

describe('the reconciler', () => {
  it('verifies the other rooms in turn while LiveKit gives no answer for many', async () => {
    const rooms = await Promise.all(Array.from({ length: 41 }, () => fixture.newRoom()));
    await fixture.livekit.connectMany(rooms.map(({ sid }) => ({ room: sid, identity: 'ada', attributes: { role: 'TEACHER' } })));
    const sids = rooms.map(({ sid }) => sid);
    await eventually(async () => {
      const live = await fixture.stack.rows(`SELECT 1 FROM room.rooms WHERE sid = ANY($1) AND state = 'live' AND verified_at IS NOT NULL`, [
        sids,
      ]);
      expect(live).toHaveLength(sids.length);
    });
    const [answered = '', ...silent] = sids;
    await fixture.livekit.faults({ lists: { mode: 'unavailable', rooms: silent } });
    await verified(answered, 3, 20_000);
    await fixture.livekit.clearFaults();
    await Promise.all(silent.map((sid) => verified(sid, 1, 20_000)));
  });
});

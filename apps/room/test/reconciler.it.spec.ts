import { eventually } from '@classroom/testing';
import { RoomBench } from './support/room-bench.js';

let bench: RoomBench;
beforeAll(async () => {
  bench = await RoomBench.start();
}, 120_000);
afterEach(() => bench.livekit.clearFaults());
afterAll(() => bench?.stop(), 60_000);

const verifiedAt = async (sid: string) => (await bench.state(sid)).verifiedAt?.getTime() ?? 0;

/** Waits until LiveKit has confirmed the room `times` more times. */
async function verified(sid: string, times: number, withinMs: number): Promise<void> {
  const seen = new Set([await verifiedAt(sid)]);
  await eventually(async () => expect(seen.add(await verifiedAt(sid)).size).toBeGreaterThan(times), withinMs);
}

describe('the reconciler', () => {
  it('verifies the other rooms in turn while LiveKit gives no answer for many', async () => {
    const rooms = await Promise.all(Array.from({ length: 41 }, () => bench.newRoom()));
    await bench.livekit.connectMany(rooms.map(({ sid }) => ({ room: sid, identity: 'ada', attributes: { role: 'TEACHER' } })));
    const sids = rooms.map(({ sid }) => sid);
    await eventually(async () => {
      const live = await bench.stack.rows(`SELECT 1 FROM room.rooms WHERE sid = ANY($1) AND state = 'live' AND verified_at IS NOT NULL`, [
        sids,
      ]);
      expect(live).toHaveLength(sids.length);
    }, 30_000);
    const [answered = '', ...silent] = sids;
    await bench.livekit.faults({ lists: { mode: 'unavailable', rooms: silent } });
    await verified(answered, 3, 20_000);
    await bench.livekit.clearFaults();
    await Promise.all(silent.map((sid) => verified(sid, 1, 20_000)));
  }, 120_000);
});

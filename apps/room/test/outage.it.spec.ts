import { createRoom, deleteRoom, getRoomStatus, roomCheckpoint, roomStarted } from '@classroom/contracts';
import { eventually, EXACT, expectTruth, inLongForm } from '@classroom/testing';
import { randomUUID } from 'node:crypto';
import { expectFactsMatchRows } from './support/facts-match-rows.js';
import { refusal, RoomFixture, type RoomState } from './support/room-fixture.js';

const OUTAGE_S = 600;

let fixture: RoomFixture;
beforeAll(async () => {
  fixture = await RoomFixture.start();
});
afterEach(() => fixture.livekit.clearFaults());
afterAll(() => fixture?.stop());

const secondsUntil = (date: Date | null, from = new Date()) => ((date?.getTime() ?? 0) - from.getTime()) / 1000;

/** The service stops, its rows become ten minutes older, and it starts again. */
async function outage(sid: string): Promise<RoomState> {
  await fixture.stack.app('room').stop();
  const older = (...columns: string[]) => columns.map((column) => `${column} = ${column} - make_interval(secs => ${OUTAGE_S})`).join(', ');
  await fixture.stack.rows(
    `UPDATE room.rooms SET ${older('created_at', 'started_at', 'last_left_at', 'due_at', 'verified_at', 'empty_since')} WHERE sid = $1`,
    [sid],
  );
  await fixture.stack.rows(`UPDATE room.connections_by_month SET ${older('joined_at', 'left_at')} WHERE sid = $1`, [sid]);
  await fixture.stack.app('room').start();
  return fixture.state(sid);
}

inLongForm(it)('after an outage, participants have emptyTimeout to return, once', async () => {
  const { sid } = await fixture.newRoom({ emptyTimeout: 60 });
  await fixture.visited(sid);
  await eventually(async () => expect(await fixture.state(sid)).toMatchObject({ verifiedAt: expect.any(Date) }));
  await outage(sid);
  await eventually(async () => expect(secondsUntil((await fixture.state(sid)).dueAt)).toBeGreaterThan(40));
  expect(await fixture.state(sid)).toMatchObject({ state: 'live' });

  const { lastLeftAt } = await outage(sid);
  await eventually(async () => expect(await fixture.state(sid)).toMatchObject({ state: 'finished' }));
  const { endedAt } = await fixture.state(sid);
  // The second outage gives no second extension.
  expect(secondsUntil(endedAt, lastLeftAt ?? undefined)).toBeGreaterThan(60 + OUTAGE_S - 30);
  expect(secondsUntil(endedAt, lastLeftAt ?? undefined)).toBeLessThan(60 + 2 * OUTAGE_S - 30);
});

describe('without LiveKit', () => {
  const input = () => ({
    organizationId: fixture.organizationId,
    roomId: randomUUID(),
    title: 'Algebra',
    participant: { uid: 'ada', name: 'Ada', role: 'TEACHER' as const },
  });

  it('joining and status continue, creating is refused, and nothing is closed or verified', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    await eventually(async () => expect((await fixture.state(room.sid)).verifiedAt).not.toBeNull());
    await fixture.livekit.faults({ api: { mode: 'refuse' } });
    const { verifiedAt } = await fixture.state(room.sid);
    expect(await refusal(fixture.call(createRoom, input()))).toBe('SERVICE_UNAVAILABLE');
    await fixture.member(room, 'late');
    expect(await people[1].state()).toMatchObject({ version: 1 });
    const retried = () => fixture.stack.rows('SELECT 1 FROM room.live_rooms WHERE sid = $1 AND retry_at IS NOT NULL', [room.sid]);
    await eventually(async () => expect(await retried()).toHaveLength(1));
    expect(await fixture.asBackend(getRoomStatus, { roomId: room.roomId })).toMatchObject({ participantCount: 2, hasTeacher: true });
    expect((await fixture.state(room.sid)).verifiedAt).toEqual(verifiedAt);
    await fixture.livekit.clearFaults();
    await eventually(async () => expect((await fixture.state(room.sid)).verifiedAt).not.toEqual(verifiedAt));
    await eventually(async () => expect(await retried()).toEqual([]));
  });

  it('a class that ends is charged up to the last list, after nine seconds without one', async () => {
    const { room } = await fixture.classOf(['TEACHER']);
    await eventually(async () => expect(await fixture.facts(roomCheckpoint, room.sid)).not.toEqual([]));
    await fixture.livekit.faults({ api: { mode: 'refuse' } });
    const verified = async (secondsAgo: number) => {
      await fixture.stack.rows(
        `UPDATE room.connections_by_month SET joined_at = date_trunc('second', now()) - interval '1 hour' WHERE sid = $1`,
        [room.sid],
      );
      await fixture.stack.rows(
        `UPDATE room.rooms SET verified_at = date_trunc('second', now()) - make_interval(secs => $2) WHERE sid = $1`,
        [room.sid, secondsAgo],
      );
    };
    await verified(20);
    const { verifiedAt } = await fixture.state(room.sid);
    await fixture.asBackend(deleteRoom, { roomId: room.roomId });
    const rows = await fixture.stack.rows(
      'SELECT left_at AS "leftAt", closed_by AS "closedBy" FROM room.connections_by_month WHERE sid = $1',
      [room.sid],
    );
    expect(rows).toEqual([{ leftAt: verifiedAt, closedBy: 'room_end' }]);
  });
});

inLongForm(it)('without Redis a class still ends on time', async () => {
  const { sid } = await fixture.newRoom({ emptyTimeout: 60 });
  await fixture.visited(sid);
  await fixture.stack.part('redis').kill();
  try {
    await fixture.stack.moveClock(62_000);
    await eventually(async () => expect(await fixture.state(sid)).toMatchObject({ state: 'finished' }));
  } finally {
    await fixture.stack.part('redis').start();
    await fixture.stack.moveClock(0);
  }
});

it('after a restart of Postgres, webhooks that waited are applied, and calls succeed again', async () => {
  const room = await fixture.newRoom();
  await fixture.stack.part('postgres').kill();
  const calls = refusal(fixture.asBackend(getRoomStatus, { roomId: room.roomId }));
  await fixture.livekit.connect(room.token);
  expect(await calls).toBe('SERVICE_UNAVAILABLE');
  await fixture.stack.part('postgres').start();
  await eventually(async () => expect(await fixture.state(room.sid)).toMatchObject({ state: 'live', count: 1 }));
  await eventually(async () => expect(await fixture.facts(roomStarted, room.sid)).toHaveLength(1));
  await expectTruth(fixture.stack, fixture.livekit, room.sid, EXACT);
  await expectFactsMatchRows(fixture, room.sid);
});

inLongForm(it)(
  'after a restart of NATS, facts that waited in the outbox are published once, and webhooks are repeated by LiveKit',
  async () => {
    const room = await fixture.newRoom();
    await fixture.stack.part('nats').kill();
    await fixture.livekit.connect(room.token);
    await fixture.stack.part('nats').start();
    await eventually(async () => expect(await fixture.state(room.sid)).toMatchObject({ state: 'live', count: 1 }));
    await eventually(async () => expect(await fixture.facts(roomStarted, room.sid)).toHaveLength(1));
    expect(await fixture.asBackend(getRoomStatus, { roomId: room.roomId })).toMatchObject({ isActive: true });
    await expectFactsMatchRows(fixture, room.sid);
  },
);

import { createRoom, deleteRoom, getRoomStatus, roomCheckpoint, roomStarted } from '@classroom/contracts';
import { connectionsOf, eventually, EXACT, expectTruth, inLongForm } from '@classroom/testing';
import { randomUUID } from 'node:crypto';
import { expectFactsMatchRows } from './support/facts-match-rows.js';
import { refusal, RoomFixture } from './support/room-fixture.js';

const OUTAGE_S = 600;

let fixture: RoomFixture;
beforeAll(async () => {
  fixture = await RoomFixture.start();
});
afterEach(() => fixture.livekit.clearFaults());
afterAll(() => fixture?.stop());

const secondsUntil = (date: Date | null, from = new Date()) => ((date?.getTime() ?? 0) - from.getTime()) / 1000;

/** The service stops, its rows become ten minutes older, and it starts again. */
async function outage(sid: string) {
  await fixture.stack.app('room').stop();
  await fixture.age(sid, OUTAGE_S, [
    'rooms.created_at',
    'rooms.started_at',
    'rooms.last_left_at',
    'rooms.due_at',
    'rooms.verified_at',
    'rooms.empty_since',
    'connections_by_month.joined_at',
    'connections_by_month.left_at',
  ]);
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
    await eventually(async () => expect(await fixture.isRetried(room.sid)).toBe(true));
    expect(await fixture.asBackend(getRoomStatus, { roomId: room.roomId })).toMatchObject({ participantCount: 2, hasTeacher: true });
    expect((await fixture.state(room.sid)).verifiedAt).toEqual(verifiedAt);
    await fixture.livekit.clearFaults();
    await eventually(async () => expect((await fixture.state(room.sid)).verifiedAt).not.toEqual(verifiedAt));
    await eventually(async () => expect(await fixture.isRetried(room.sid)).toBe(false));
  });

  it('a class that ends is charged up to the last list, after nine seconds without one', async () => {
    const { room } = await fixture.classOf(['TEACHER']);
    await eventually(async () => expect(await fixture.facts(roomCheckpoint, room.sid)).not.toEqual([]));
    await fixture.livekit.faults({ api: { mode: 'refuse' } });
    const wholeSecond = Math.floor(Date.now() / 1000) * 1000;
    await fixture.setTime(room.sid, 'connections_by_month.joined_at', new Date(wholeSecond - 3_600_000));
    await fixture.setTime(room.sid, 'rooms.verified_at', new Date(wholeSecond - 20_000));
    const { verifiedAt } = await fixture.state(room.sid);
    await fixture.asBackend(deleteRoom, { roomId: room.roomId });
    expect(await connectionsOf(fixture.stack, room.sid)).toMatchObject([{ leftAt: verifiedAt, closedBy: 'room_end' }]);
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

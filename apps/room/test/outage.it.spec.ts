import { eventually } from '@classroom/testing';
import { RoomFixture, type RoomState } from './support/room-fixture.js';

const OUTAGE_S = 600;

let fixture: RoomFixture;
beforeAll(async () => {
  fixture = await RoomFixture.start();
}, 120_000);
afterAll(() => fixture?.stop(), 60_000);

const secondsUntil = (date: Date | null, from = new Date()) => ((date?.getTime() ?? 0) - from.getTime()) / 1000;

/** The service stops, its rows become ten minutes older, and it starts again. */
async function outage(sid: string): Promise<RoomState> {
  await fixture.stack.app('room').stop();
  const older = (...columns: string[]) => columns.map((column) => `${column} = ${column} - make_interval(secs => ${OUTAGE_S})`).join(', ');
  await fixture.stack.rows(
    `UPDATE room.rooms SET ${older('created_at', 'started_at', 'last_left_at', 'due_at', 'verified_at', 'empty_since')} WHERE sid = $1`,
    [sid],
  );
  await fixture.stack.rows(`UPDATE room.connections SET ${older('joined_at', 'left_at')} WHERE sid = $1`, [sid]);
  await fixture.stack.app('room').start();
  return fixture.state(sid);
}

it('after an outage, participants have emptyTimeout to return, once', async () => {
  const { sid } = await fixture.newRoom({ emptyTimeout: 60 });
  await fixture.visited(sid);
  await eventually(async () => expect(await fixture.state(sid)).toMatchObject({ verifiedAt: expect.any(Date) }));
  await outage(sid);
  await eventually(async () => expect(secondsUntil((await fixture.state(sid)).dueAt)).toBeGreaterThan(40));
  expect(await fixture.state(sid)).toMatchObject({ state: 'live' });

  const { lastLeftAt } = await outage(sid);
  await eventually(async () => expect(await fixture.state(sid)).toMatchObject({ state: 'finished' }));
  const { endedAt } = await fixture.state(sid);
  expect(secondsUntil(endedAt, lastLeftAt ?? undefined)).toBeGreaterThan(60 + OUTAGE_S - 30);
}, 120_000);

import { participantConnection, roomCheckpoint, type EventEnvelope } from '@classroom/contracts';
import { envelopeOf } from '@classroom/testing';
import { BillingFixture } from './support/billing-fixture.js';

/** `at`: second of the class at which a checkpoint was made. `seen`: until when the missing participant had been seen. */
const LISTS = [
  { at: 60, seen: 60 },
  { at: 120, seen: 110 },
  { at: 180, seen: 110 },
];
const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
];

describe('checkpoints', () => {
  let fixture: BillingFixture;
  let rooms = 0;
  beforeAll(async () => {
    fixture = await BillingFixture.start();
  });
  afterAll(() => fixture?.stop());

  /** A class with two participants, one of whom is missing from the later checkpoints. */
  async function lesson() {
    const { organizationId, accountId } = await fixture.organization();
    const sid = `RM_checked_${(rooms += 1)}`;
    const room = { organizationId, sid, roomId: `room-of-${sid}` };
    const begin = Math.floor(fixture.clock.at / 1000);
    const iso = (second: number) => new Date((begin + second) * 1000).toISOString();
    const sids = [`PA_${sid}_1`, `PA_${sid}_2`] as const;
    const joins = sids.map((connectionSid, n) => {
      const person = { connectionSid, uid: `uid-${n}`, name: 'Ada', role: 'STUDENT', ip: null };
      return envelopeOf(participantConnection, sid, {
        ...room,
        ...person,
        joinedAt: iso(0),
        leftAt: null,
        openedBy: 'webhook',
        closedBy: null,
        version: n + 1,
      } as never);
    });
    const lists = LISTS.map(({ at, seen }) => {
      const unseen = seen < at ? [{ connectionSid: sids[1], seenAt: iso(seen) }] : [];
      return envelopeOf(roomCheckpoint, sid, { ...room, version: 2, verifiedAt: iso(at), unseen });
    });
    await fixture.foldAll(joins as EventEnvelope[]);
    return { sid, accountId, lists: lists as EventEnvelope[] };
  }

  it.each(ORDERS)('have the same result in the order %i, %i, %i, with repetitions', async (...order) => {
    const { sid, accountId, lists } = await lesson();
    const inOrder = order.flatMap((n) => lists.slice(n, n + 1));
    await fixture.foldAll(inOrder);
    const once = await known(sid);
    expect(once).toEqual({ verifiedFor: 180, unseenFor: 110, isDue: true });
    await fixture.foldAll([...inOrder, ...[...inOrder].reverse()]);
    await Promise.all(inOrder.map((list) => fixture.fold(list)));
    expect(await known(sid)).toEqual(once);

    fixture.clock.at += 61_000;
    await fixture.rollUp.execute([accountId]);
    // 180 s + 110 s = 290 s, rounded up to 5 credits.
    expect(await fixture.meter(sid)).toMatchObject({ charged: 5, sequence: 1 });
    const charged = await known(sid);
    await fixture.foldAll(inOrder);
    expect(await known(sid)).toEqual(charged);
  });

  it('leave no row in the inbox, nor do connections', async () => {
    const { lists } = await lesson();
    const rows = (): Promise<{ count: number }[]> => fixture.dataSource.query('SELECT count(*) FROM inbox');
    const before = await rows();
    await fixture.foldAll(lists);
    expect(await rows()).toEqual(before);
    await lesson();
    // The plan.
    expect(await rows()).toEqual([{ count: (before[0]?.count ?? 0) + 1 }]);
  });

  async function known(sid: string) {
    const [meter]: { verifiedFor: number; unseenFor: number; isDue: boolean }[] = await fixture.dataSource.query(
      `SELECT extract(epoch FROM verified_at - started_at)::int AS "verifiedFor", due_at IS NOT NULL AS "isDue",
              ((unseen ->> $2)::int8 - extract(epoch FROM started_at))::int AS "unseenFor" FROM room_meters WHERE sid = $1`,
      [sid, `PA_${sid}_2`],
    );
    return meter;
  }
});

import { randomUUID } from 'node:crypto';
import { participantConnection, roomCheckpoint, roomFinished, type EventEnvelope } from '@classroom/contracts';
import type { RpcClient } from '@classroom/messaging';
import { envelopeOf, expectLedgerInvariants } from '@classroom/testing';
import { MAX_CLOSE_DELAY_MS } from '../src/ledger/accounts.repository.js';
import { BillingFixture } from './support/billing-fixture.js';

type Ends = [joinedAt: string, leftAt: string];

const DAY_S = 86_400;
const after = (instant: string, seconds: number) => new Date(Date.parse(instant) + seconds * 1000).toISOString();
const times = (n: number, from: string, seconds: number): Ends[] => Array.from({ length: n }, () => [from, after(from, seconds)]);

/** Seconds are summed whole and rounded up once at the end, whatever calendars and clocks show. */
describe('the charge of a class', () => {
  let fixture: BillingFixture;
  beforeAll(async () => {
    fixture = await BillingFixture.start();
  });
  afterAll(() => fixture?.stop());

  async function newClass() {
    const { organizationId, accountId } = await fixture.organization();
    const sid = `RM_${randomUUID()}`;
    const room = { organizationId, sid, roomId: `room-of-${sid}` };
    const session = (n: number, joinedAt: string, leftAt: string | null, version = n + 1): EventEnvelope => {
      const person = { connectionSid: `PA_${sid}_${n}`, uid: `uid-${n}`, name: 'Ada', role: 'STUDENT', ip: null };
      const ends = { joinedAt, leftAt, openedBy: 'webhook', closedBy: leftAt === null ? null : 'webhook' };
      return envelopeOf(participantConnection, sid, { ...room, ...person, ...ends, version });
    };
    const checkpoint = (verifiedAt: string, version: number) =>
      envelopeOf(roomCheckpoint, sid, { ...room, verifiedAt, version, unseen: [] });
    const end = (ends: Ends[], versionSum = (ends.length * (ends.length + 1)) / 2) => {
      const totalSeconds = ends.reduce((sum, [from, to]) => sum + (Date.parse(to) - Date.parse(from)) / 1000, 0);
      const endedAt =
        ends
          .map(([, to]) => to)
          .sort()
          .at(-1) ?? '2026-01-10T10:00:00Z';
      const totals = { connections: ends.length, totalSeconds, versionSum, lastVersion: versionSum };
      return envelopeOf(roomFinished, sid, { ...room, title: 'A class', startedAt: null, endedAt, reason: 'deleted', ...totals });
    };
    return { organizationId, accountId, sid, session, checkpoint, end };
  }

  it.each<[string, Ends[], number]>([
    ['no participant', [], 0],
    ['a participant who left in the second they joined', [['2026-01-10T10:00:00Z', '2026-01-10T10:00:00Z']], 0],
    ['one second', [['2026-01-10T10:00:00Z', '2026-01-10T10:00:01Z']], 1],
    ['59 seconds', [['2026-01-10T10:00:00Z', '2026-01-10T10:00:59Z']], 1],
    ['60 seconds', [['2026-01-10T10:00:00Z', '2026-01-10T10:01:00Z']], 1],
    ['61 seconds', [['2026-01-10T10:00:00Z', '2026-01-10T10:01:01Z']], 2],
    ['60 people of a second each', times(60, '2026-01-10T10:00:00Z', 1), 1],
    ['61 people of a second each', times(61, '2026-01-10T10:00:00Z', 1), 2],
    ['90 people of 59 seconds', times(90, '2026-01-10T10:00:00Z', 59), 89],
    ['24 hours', [['2026-01-10T10:00:00Z', '2026-01-11T10:00:00Z']], 1440],
    ['24 hours and a second', [['2026-01-10T10:00:00Z', '2026-01-11T10:00:01Z']], 1441],
    ['48 hours, three times', times(3, '2026-01-10T10:00:00Z', 2 * DAY_S), 8640],
    ['midnight', [['2026-01-10T23:59:30Z', '2026-01-11T00:00:30Z']], 1],
    ['a month’s end', [['2026-04-30T23:59:59Z', '2026-05-01T00:00:01Z']], 1],
    ['a year’s end', [['2026-12-31T23:00:00Z', '2027-01-01T01:00:00Z']], 120],
    ['a leap day', [['2028-02-28T23:59:00Z', '2028-03-01T00:01:00Z']], 1442],
    ['the end of a February without one', [['2026-02-28T23:59:00Z', '2026-03-01T00:01:00Z']], 2],
    ['a night in which clocks go forward in Berlin', [['2026-03-29T00:30:00Z', '2026-03-29T02:30:00Z']], 120],
    ['a night in which clocks go back in New York', [['2026-11-01T05:30:00Z', '2026-11-01T07:30:00Z']], 120],
    ['LiveKit’s clock ten years ahead', [['2036-01-10T10:00:00Z', '2036-01-10T10:00:30Z']], 1],
    ['LiveKit’s clock at its beginning', [['1970-01-01T00:00:05Z', '1970-01-01T00:01:06Z']], 2],
  ])('is exact for: %s', async (_, ends, credits) => {
    const { organizationId, accountId, sid, session, end } = await newClass();
    await fixture.foldAll([...ends.map(([from, to], n) => session(n, from, to)), end(ends)]);
    await fixture.rollUp.execute([accountId]);
    // A class that no participant joined has no meter.
    const meter = { charged: credits, sequence: credits === 0 ? 0 : 1, isSettled: true, isDue: false };
    expect(await fixture.meter(sid)).toEqual(ends.length === 0 ? undefined : meter);
    expect((await fixture.accounts.find(organizationId))?.balance).toBe(1000 - credits);
    const entries = (await fixture.ledger.page(organizationId, {}, 10)).filter((entry) => entry.sid === sid);
    expect(entries.map((entry) => entry.credits)).toEqual(credits === 0 ? [] : [credits]);
    for (const { entryId } of entries) {
      const explained = await fixture.explainEntry.execute({ organizationId, entryId });
      expect(explained).toMatchObject({ isConsistent: true, totalCredits: credits });
    }
    await expectLedgerInvariants(fixture.stack);
  });

  it('waits for a lost leave, even if the sum of versions is reached without it', async () => {
    const { organizationId, accountId, sid, session } = await newClass();
    const [start, middle, over] = ['2026-01-10T10:00:00.000Z', '2026-01-10T10:05:00.000Z', '2026-01-10T10:10:00.000Z'];
    const room = { organizationId, sid, roomId: `room-of-${sid}` };
    const totals = { connections: 2, totalSeconds: 1_200, versionSum: 7, lastVersion: 4 };
    const finished = envelopeOf(roomFinished, sid, {
      ...room,
      title: 'A class',
      startedAt: start,
      endedAt: over,
      reason: 'deleted',
      ...totals,
    });
    // Both left at the end (versions 3 and 4). Later evidence shows that one of them left earlier (version 5). The fact of the other's
    // leave (version 4) is lost.
    const truth = [session(0, start, middle, 5), session(1, start, over, 4)];
    await fixture.foldAll([
      session(0, start, null, 1),
      session(1, start, null, 2),
      session(0, start, over, 3),
      finished,
      session(0, start, middle, 5),
    ]);
    await fixture.rollUp.execute([accountId]);
    expect(await fixture.meter(sid)).toMatchObject({ charged: 0, isSettled: false });
    fixture.connectionsOf = (async () => ({ connections: truth.map(({ data }) => data) })) as unknown as RpcClient['call'];
    fixture.clock.at += 120_000;
    await fixture.catchUp.run();
    await fixture.rollUp.execute([accountId]);
    expect(await fixture.meter(sid)).toMatchObject({ charged: 15, isSettled: true });
    await expectLedgerInvariants(fixture.stack);
  });

  it('never exceeds the verified time while the class is live, and is the same at the end as a single charge', async () => {
    const { organizationId, accountId, sid, session, checkpoint, end } = await newClass();
    const start = '2026-02-28T23:58:20Z';
    await fixture.foldAll([session(0, start, null), session(1, start, null)]);
    for (let second = 20; second <= 400; second += 20) {
      await fixture.fold(checkpoint(after(start, second), 2));
      fixture.clock.at += 61_000;
      await fixture.rollUp.execute([accountId]);
      expect((await fixture.meter(sid))?.charged).toBe(Math.ceil((2 * second) / 60));
    }
    const ends: Ends[] = [
      [start, after(start, 407)],
      [start, after(start, 90)],
    ];
    // The second participant left long before, which no fact showed until now.
    await fixture.foldAll([session(0, ...(ends[0] as Ends), 3), session(1, ...(ends[1] as Ends), 4), end(ends, 7)]);
    await fixture.rollUp.execute([accountId]);
    expect(await fixture.meter(sid)).toMatchObject({ charged: Math.ceil((407 + 90) / 60), isSettled: true });
    expect((await fixture.accounts.find(organizationId))?.balance).toBe(1000 - Math.ceil((407 + 90) / 60));
    await expectLedgerInvariants(fixture.stack);
  });

  it.each([
    ['an hour ahead', 3_600_000],
    ['an hour behind', -3_600_000],
  ])('does not depend on clocks: ours is %s of LiveKit’s', async (_, skewMs) => {
    const { accountId, sid, session, checkpoint, end } = await newClass();
    const start = new Date(Math.floor((fixture.clock.at - skewMs) / 1000) * 1000).toISOString();
    await fixture.foldAll([session(0, start, null), checkpoint(after(start, 130), 1)]);
    fixture.clock.at += 61_000;
    await fixture.rollUp.execute([accountId]);
    expect((await fixture.meter(sid))?.charged).toBe(3);
    const ends: Ends[] = [[start, after(start, 150)]];
    await fixture.foldAll([session(0, ...(ends[0] as Ends), 2), end(ends, 2)]);
    await fixture.rollUp.execute([accountId]);
    expect(await fixture.meter(sid)).toMatchObject({ charged: 3, isSettled: true });
  });

  it.each([0, 1, 499, 500, 999])('is split exactly by a cycle that ends at %i ms during the class', async (ms) => {
    const now = fixture.clock.at;
    const cycleEnd = Math.floor(now / 1000) * 1000 + 100_000 + ms;
    const { organizationId, accountId } = await fixture.organization(new Date(cycleEnd - 7 * DAY_S * 1000));
    const sid = `RM_${randomUUID()}`;
    const room = { organizationId, sid, roomId: `room-of-${sid}` };
    const start = new Date(Math.floor(now / 1000) * 1000).toISOString();
    const session = (leftAt: string | null, version: number) =>
      envelopeOf(participantConnection, sid, {
        ...room,
        connectionSid: `PA_${sid}`,
        uid: 'ada',
        name: 'Ada',
        role: 'STUDENT',
        ip: null,
        joinedAt: start,
        leftAt,
        openedBy: 'webhook',
        closedBy: null,
        version,
      });
    await fixture.foldAll([
      session(null, 1),
      envelopeOf(roomCheckpoint, sid, { ...room, verifiedAt: after(start, 250), version: 1, unseen: [] }),
    ]);
    fixture.clock.at = cycleEnd + MAX_CLOSE_DELAY_MS;
    await fixture.rollUp.execute([accountId]);
    const [statement] = await fixture.closedCycles(organizationId);
    // 100 s belong to the closed cycle; rounded up once, that is 2 credits.
    expect(statement?.credits).toBe(2);
    const totals = { connections: 1, totalSeconds: 300, versionSum: 2, lastVersion: 2 };
    const end = { ...room, title: 'A', startedAt: start, endedAt: after(start, 300), reason: 'deleted', ...totals };
    await fixture.foldAll([session(after(start, 300), 2), envelopeOf(roomFinished, sid, end)]);
    await fixture.rollUp.execute([accountId]);
    expect(await fixture.meter(sid)).toMatchObject({ charged: 5, isSettled: true });
    expect((await fixture.accounts.find(organizationId))?.cycleCredits).toBe(-3);
    const [last] = await fixture.ledger.page(organizationId, {}, 1);
    expect(await fixture.explainEntry.execute({ organizationId, entryId: last?.entryId ?? '' })).toMatchObject({
      isConsistent: true,
    });
    await expectLedgerInvariants(fixture.stack);
  });
});

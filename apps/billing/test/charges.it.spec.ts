import { randomUUID } from 'node:crypto';
import { array, assert, asyncProperty, boolean, constantFrom, integer, option, record, type Arbitrary } from 'fast-check';
import { byForm } from '@classroom/testing';
import { BillingFixture } from './support/billing-fixture.js';

const RUNS = byForm({ short: 20, long: 300 });
const ROOMS_PER_RUN = 30;
/** Seconds since 1970. All times of a room are within the two hours that follow. */
const START = Math.floor(Date.now() / 1000) - 7_200;
const WEEK_MS = 7 * 86_400_000;

const second = integer({ min: 0, max: 3_600 });
const session = record({
  joinedAt: second,
  seconds: option(integer({ min: 0, max: 3_600 }), { freq: 3 }),
  unseenAt: option(second, { freq: 3 }),
  isBehind: boolean(),
});
const meter = record({
  sessions: array(session, { maxLength: 4 }),
  verifiedAt: option(second, { freq: 5 }),
  charged: constantFrom(0, 0, 1, 5, 60, 500),
  sequence: integer({ min: 0, max: 3 }),
  version: integer({ min: 0, max: 9 }),
  state: constantFrom('live', 'live', 'live', 'awaiting', 'agreed', 'settled'),
});

type Meter = typeof meter extends Arbitrary<infer M> ? M : never;

/** Counted by hand: the verified seconds of each session up to `through`. */
function secondsOf({ sessions, verifiedAt }: Meter, through: number): number {
  return sessions.reduce((sum, { joinedAt, seconds, unseenAt, isBehind }) => {
    const seenUntil = unseenAt ?? (isBehind ? joinedAt : verifiedAt) ?? joinedAt;
    const end = seconds === null ? seenUntil : joinedAt + seconds;
    return sum + Math.max(0, Math.min(end, through) - joinedAt);
  }, 0);
}

describe('the charges of random rooms', () => {
  let fixture: BillingFixture;
  beforeAll(async () => {
    fixture = await BillingFixture.start();
  });
  afterAll(() => fixture?.stop());

  const time = (at: number | null) => (at === null ? null : new Date((START + at) * 1000));

  /** Stores due meters with their sessions. @returns each with its sid and the entry that charged it last */
  async function insert(organizationId: string, meters: readonly Meter[]) {
    const rooms = meters.map((one) => ({ ...one, sid: `RM_${randomUUID()}`, lastEntryId: one.sequence > 0 ? randomUUID() : null }));
    const rows = rooms.map(({ sid, sessions, charged, sequence, version, verifiedAt, state, lastEntryId }) => {
      const unseen = sessions.flatMap(({ seconds, unseenAt }, n) =>
        seconds === null && unseenAt !== null ? [[`PA_${sid}_${n}`, START + unseenAt]] : [],
      );
      const totals = state === 'agreed' || state === 'settled' ? { final_connections: sessions.length, final_version: version } : {};
      const end = state === 'live' ? {} : { ended_at: time(7_200), finished_at: time(7_200) };
      const meterOf = { sid, organization_id: organizationId, room_id: `room-of-${sid}`, title: '', unseen: Object.fromEntries(unseen) };
      const chargedSoFar = { charged_credits: charged, sequence, last_entry_id: lastEntryId, folded_version: version };
      const settled = state === 'settled' ? { settled_at: time(7_200) } : {};
      const sums = { connections: 0, version_sum: 0, closed_seconds: 0, final_version_sum: sessions.length, budget_version: 0 };
      return { ...meterOf, ...chargedSoFar, ...sums, ...totals, ...end, ...settled, verified_at: time(verifiedAt), due_at: time(0) };
    });
    await fixture.dataSource.query('INSERT INTO room_meters SELECT * FROM jsonb_populate_recordset(NULL::room_meters, $1)', [
      JSON.stringify(rows),
    ]);
    const sessions = rooms.flatMap(({ sid, sessions: own, verifiedAt }) =>
      own.map(({ joinedAt, seconds, isBehind }, n) => ({
        sid,
        connection_sid: `PA_${sid}_${n}`,
        joined_at: time(joinedAt),
        left_at: seconds === null ? null : time(joinedAt + seconds),
        behind: isBehind ? time(verifiedAt) : null,
      })),
    );
    // A trigger adds them to the sums of the meters.
    await fixture.dataSource.query(
      `INSERT INTO sessions_by_month (connection_sid, sid, organization_id, uid, name, role, joined_at, left_at, opened_by, version, behind, month)
       SELECT connection_sid, sid, $2, connection_sid, 'Ada', 'STUDENT', joined_at, left_at, 'webhook', 1, behind, session_month(joined_at)
         FROM jsonb_to_recordset($1) AS s(connection_sid text, sid text, joined_at timestamptz, left_at timestamptz, behind timestamptz)`,
      [JSON.stringify(sessions), organizationId],
    );
    return rooms;
  }

  it.each([
    ['of a prepaid organization', null],
    ['whose cycle has ended and is not closed', 1_000],
  ])('%s are their verified seconds, summed and rounded up once, minus what they were charged', async (_, cycleEnd) => {
    const kinds = { CHARGE: 0, ADJUSTMENT: 0, none: 0 };
    await assert(
      asyncProperty(array(meter, { minLength: ROOMS_PER_RUN, maxLength: ROOMS_PER_RUN }), async (meters) => {
        fixture.clock.at = (START + (cycleEnd ?? 7_200)) * 1000;
        const cycleStart = cycleEnd === null ? undefined : new Date(fixture.clock.at - WEEK_MS);
        fixture.clock.at -= 1_000;
        const { accountId, organizationId } = await fixture.organization(cycleStart);
        const before = (await fixture.accounts.find(organizationId))?.balance ?? 0;
        const rooms = await insert(organizationId, meters);
        fixture.clock.at += 10_000;
        await fixture.rollUp.execute([accountId]);

        const rows: { sid: string; entryId: string | null; last: string | null }[] = await fixture.dataSource.query(
          `SELECT m.sid, m.charged_credits AS charged, m.sequence, m.due_at AS "dueAt", m.settled_at IS NOT NULL AS "isSettled",
                  m.last_entry_id AS last, e.entry_id AS "entryId", e.kind, e.debit_account AS debit, e.credits, e.total_seconds AS seconds,
                  e.meter_version AS version, e.charged_through AS through, e.corrects_entry_id AS corrects, e.credit_rate AS rate, e.cycle_start AS cycle
             FROM room_meters m LEFT JOIN ledger_entries e ON e.sid = m.sid WHERE m.sid = ANY($1)`,
          [rooms.map(({ sid }) => sid)],
        );
        const found = new Map(rows.map((row) => [row.sid, row]));
        let total = 0;
        for (const room of rooms) {
          const { sid, state, charged, sequence, version, verifiedAt, lastEntryId } = room;
          const isAwaiting = state === 'awaiting' && cycleEnd === null;
          const seconds = secondsOf(room, cycleEnd ?? Infinity);
          const owed = isAwaiting ? 0 : Math.ceil(seconds / 60) - charged;
          const corrects = owed < 0 || state === 'settled' ? lastEntryId : null;
          const kind = corrects === null ? 'CHARGE' : 'ADJUSTMENT';
          const knownUntil = state === 'live' ? verifiedAt : 7_200;
          const through = cycleEnd === null ? knownUntil : Math.min(knownUntil ?? Infinity, cycleEnd);
          const posted = {
            kind,
            debit: owed > 0 ? 'customer' : 'usage',
            credits: Math.abs(owed),
            seconds,
            version,
            corrects,
            rate: '0.500000',
          };
          const none = { kind: null, debit: null, credits: null, seconds: null, version: null, corrects: null, rate: null };
          const retryS = cycleEnd !== null || isAwaiting ? 5 : 60;
          const isDue = retryS === 5 || (state === 'live' && room.sessions.some((one) => one.seconds === null));
          expect(found.get(sid)).toEqual({
            sid,
            charged: charged + owed,
            sequence: sequence + (owed === 0 ? 0 : 1),
            dueAt: isDue ? new Date(fixture.clock.at + retryS * 1000) : null,
            isSettled: state === 'settled' || (state === 'agreed' && cycleEnd === null),
            ...(owed === 0 ? none : posted),
            through: owed === 0 ? null : time(through),
            cycle: owed === 0 ? null : (cycleStart ?? null),
            entryId: owed === 0 ? null : expect.any(String),
            last: found.get(sid)?.entryId ?? lastEntryId,
          });
          total += owed;
          kinds[owed === 0 ? 'none' : kind] += 1;
        }
        expect((await fixture.accounts.find(organizationId))?.balance).toBe(before - total);
      }),
      { numRuns: RUNS },
    );
    for (const count of [kinds.CHARGE, kinds.ADJUSTMENT, kinds.none]) expect(count).toBeGreaterThan(0);
  });
});

import { randomUUID } from 'node:crypto';
import { jetstream } from '@nats-io/jetstream';
import {
  OPTIONAL_CONSUMERS,
  participantConnection,
  roomFinished,
  roomRpc,
  roomStarted,
  sessionRecovered,
  type EventData,
  type EventEnvelope,
  type RpcContract,
  type RpcOutput,
  type SessionsQuery,
} from '@classroom/contracts';
import { applyStreams, connectNats, DurableConsumer, untraced, type RpcClient, type TextStreams } from '@classroom/messaging';
import { byForm, envelopeOf, eventually, inLongForm, publishFact, unhandled, writtenFacts } from '@classroom/testing';
import { Attendance } from '../src/reports/attendance.js';
import { ExportSessions } from '../src/reports/export-sessions.js';
import { ParticipantSessions } from '../src/reports/participant-sessions.js';
import { BackfillRepository } from '../src/reports/copies.repository.js';
import { BackfillSessions, CopySessions } from '../src/reports/copy-sessions.js';
import { Clickhouse } from '../src/reports/clickhouse.js';
import { ClickhouseSessionsRepository } from '../src/reports/clickhouse-sessions.repository.js';
import { PostgresSessionsRepository } from '../src/reports/postgres-sessions.repository.js';
import { RoomsRepository } from '../src/reports/rooms.repository.js';
import { RoomMeterEntity } from '../src/schema/room-meter.entity.js';
import type { SessionsStore } from '../src/reports/sessions-store.js';
import { BillingFixture } from './support/billing-fixture.js';

const NOON = Date.parse('2026-03-02T12:00:00Z');
const at = (minutes: number) => new Date(NOON + minutes * 60_000).toISOString();

const PERSON = { uid: 'ada', name: 'Ada', role: 'STUDENT', ip: null, openedBy: 'webhook', closedBy: 'webhook', leftAt: null } as const;
const FIRST_PAGE = { uid: 'ada', startDate: '2026-03-02', page: 1, limit: 10 };

type Connection = EventData<typeof participantConnection>;
type Stay = Partial<Connection> & { joinedAt: string };
interface Room {
  organizationId: string;
  sid: string;
  roomId: string;
}

let fixture: BillingFixture;
let clickhouse: Clickhouse;
let copy: ClickhouseSessionsRepository;
let feed: CopySessions;
let rooms: RoomsRepository;
let connection: Awaited<ReturnType<typeof connectNats>> | undefined;
let consumer: DurableConsumer<EventEnvelope<Connection>> | undefined;
let stores: Record<'Postgres' | 'ClickHouse', SessionsStore>;

beforeAll(async () => {
  fixture = await BillingFixture.start(['nats', 'clickhouse']);
  clickhouse = await Clickhouse.open(fixture.stack.urls.clickhouse ?? '');
  rooms = new RoomsRepository(fixture.database);
  copy = new ClickhouseSessionsRepository(clickhouse, rooms);
  feed = new CopySessions(copy);
  stores = { Postgres: new PostgresSessionsRepository(fixture.database), ClickHouse: copy };
});
afterAll(async () => {
  await consumer?.stop();
  await connection?.close();
  await clickhouse?.onApplicationShutdown();
  await fixture?.stop();
});

const newRoom = (organizationId: string): Room => {
  const sid = `RM_${randomUUID()}`;
  return { organizationId, sid, roomId: `room-of-${sid}` };
};

const toFacts = (room: Room, stays: Stay[]): EventEnvelope<Connection>[] =>
  stays.map((stay, n) =>
    envelopeOf(participantConnection, room.sid, {
      ...room,
      ...PERSON,
      connectionSid: `PA_${room.sid}_${n}`,
      version: n + 1,
      ...stay,
    }),
  );

/** Both stores receive the facts twice and in the opposite order. */
async function receive(facts: EventEnvelope<Connection>[]): Promise<void> {
  const received = [...facts, ...facts].toReversed();
  await fixture.foldAll(received);
  for (const some of [received.slice(0, facts.length), received.slice(facts.length)]) await feed.execute(some.map(untraced));
}

async function classWith(stays: Stay[], room?: Room): Promise<Room> {
  const of = room ?? newRoom((await fixture.organization()).organizationId);
  await receive(toFacts(of, stays));
  return of;
}

const sessionsIn = (store: SessionsStore, query: Omit<SessionsQuery, 'uid' | 'startDate' | 'page' | 'limit'> & Partial<SessionsQuery>) =>
  new ParticipantSessions(store, rooms, fixture.clock).getParticipantSessions({
    ...FIRST_PAGE,
    ...query,
  });

type BasisPage = RpcOutput<typeof roomRpc.attendanceBasis>;

/** @param bases the pages of the room's answer, by `after` */
function attendanceIn(
  store: SessionsStore,
  room: Room,
  state: 'live' | 'finished',
  bases?: Record<string, BasisPage>,
  streams = {} as TextStreams,
) {
  const times = { startedAt: at(0), endedAt: state === 'finished' ? at(60) : null };
  const described = { sid: room.sid, title: 'Algebra', state, ...times, isAttendanceEvaluated: bases !== undefined };
  const call = async (contract: RpcContract, { after = '' }: { after?: string }) =>
    contract === roomRpc.attendanceBasis ? bases?.[after] : described;
  const rpc = { call } as unknown as RpcClient;
  return new Attendance(store, rpc, fixture.clock, streams);
}

const attendanceOf = (
  store: SessionsStore,
  room: Room,
  state: 'live' | 'finished',
  page: { cursor?: string } = {},
  bases?: Record<string, BasisPage>,
) => attendanceIn(store, room, state, bases).getAttendance({ ...room, ...page } as never);

/** What an export writes. */
async function written(exportTo: (streams: TextStreams) => Promise<unknown>): Promise<string> {
  let text = '';
  await exportTo({
    open: async (_: string, source: () => AsyncIterable<string>) => {
      for await (const part of source()) text += part;
      return {};
    },
  } as unknown as TextStreams);
  return text;
}

function exported(store: SessionsStore, query: Partial<SessionsQuery> & { organizationId: string }): Promise<string> {
  const sessions = new ParticipantSessions(store, rooms, fixture.clock);
  const all = { uid: 'ada', startDate: '2026-03-01', endDate: '2026-03-09', page: 1, limit: 10, inbox: 'inbox' };
  return written((streams) => new ExportSessions(sessions, store, rooms, streams).execute({ ...all, ...query } as never));
}

/**
 * ClickHouse is its engine and HTTP interface, run by `clickhouse local`; see tools/stack/parts/clickhouse.ts. The short form compares the exports
 * of both below.
 */
const STORES = byForm<('Postgres' | 'ClickHouse')[]>({ short: ['Postgres'], long: ['Postgres', 'ClickHouse'] });
describe.each(STORES)('reports from %s', (name) => {
  it('of attendance state the class, and each participant with the latest name and role', async () => {
    const room = await classWith([
      { joinedAt: at(0), leftAt: at(10), name: 'Ada L.', role: 'STUDENT' },
      { joinedAt: at(30), leftAt: at(50), name: 'Ada Lovelace', role: 'TEACHER' },
      { joinedAt: at(5), leftAt: at(60), uid: 'bob', name: 'Bob' },
    ]);
    const report = await attendanceOf(stores[name], room, 'finished');
    expect(report).toMatchObject({ status: 'finished', state: 'finished', classDuration: 3_600, totalParticipants: 2 });
    expect(report.participants).toEqual([
      {
        uid: 'ada',
        name: 'Ada Lovelace',
        role: 'TEACHER',
        firstJoinedAt: at(0),
        lastLeftAt: at(50),
        duration: 1_800,
        percentOfClass: 50,
        sessionCount: 2,
        isPresent: false,
      },
      expect.objectContaining({ uid: 'bob', duration: 3_300, percentOfClass: 91.7, sessionCount: 1 }),
    ]);
    expect(await attendanceOf(stores[name], room, 'live')).toMatchObject({ status: 'live', state: 'live' });
    const page = await attendanceOf(stores[name], room, 'live');
    expect(page.participants.map(({ uid }) => uid)).toEqual(['ada', 'bob']);
  });

  it('of attendance evaluate each participant, and then have the people on the roster who never joined', async () => {
    const room = await classWith([
      { joinedAt: at(0), leftAt: at(20) },
      { joinedAt: at(21), leftAt: at(60) },
      { joinedAt: at(6), leftAt: at(60), uid: 'bob', name: 'Bob' },
      { joinedAt: at(0), leftAt: at(40), uid: 'carl', name: 'Carl' },
      { joinedAt: at(50), leftAt: at(60), uid: 'dora', name: 'Dora' },
    ]);
    const policy = { lateAfter: 300, leftBefore: 300, minimumPresence: 50, reconnectGrace: 60 };
    const basis = { policy, lesson: [NOON / 1000, NOON / 1000 + 3_600] as [number, number] };
    const bases = {
      '': {
        basis,
        roster: [
          { uid: 'ada', name: 'Ada' },
          { uid: 'carl', name: null },
        ],
        next: 'carl',
      },
      carl: {
        basis,
        roster: [
          { uid: 'yan', name: null },
          { uid: 'zoe', name: 'Zoe' },
        ],
        next: null,
      },
    };
    const neverJoined = bases.carl.roster;
    const csv = await written((streams) =>
      attendanceIn(stores[name], room, 'finished', bases, streams).exportAttendance({ ...room, inbox: 'inbox', isTable: false } as never),
    );
    const cells = csv.split(/\r?\n/).map((line) => line.split(','));
    const cellsOf = (first: string) => cells.find((line) => line[0] === first)?.slice(1);
    expect(['Present', 'Late', 'Left Early', 'Absent'].map(cellsOf)).toEqual([['1'], ['0'], ['1'], ['2']]);
    expect(cellsOf('bob')?.slice(6)).toEqual(['1', 'Left', 'LATE', '6.00', '0.00', 'No']);
    expect(cellsOf('yan')?.join()).toBe(',,,,0.00,0.0,0,Absent,ABSENT,,,Yes');
    expect(cellsOf('zoe')?.slice(0, 2)).toEqual(['Zoe', '']);
    const evaluations = {
      ada: { status: 'PRESENT', secondsLate: 0, secondsLeftEarly: 0, percentOfLesson: 100, isOnRoster: true },
      bob: { status: 'LATE', secondsLate: 360, secondsLeftEarly: 0, percentOfLesson: 90, isOnRoster: false },
      carl: { status: 'LEFT_EARLY', secondsLate: 0, secondsLeftEarly: 1_200, percentOfLesson: 66.7, isOnRoster: true },
      dora: { status: 'ABSENT', secondsLate: 3_000, secondsLeftEarly: 0, percentOfLesson: 16.7, isOnRoster: false },
    };
    const first = await attendanceOf(stores[name], room, 'finished', {}, bases);
    expect(Object.fromEntries(first.participants.map((one) => [one.uid, one.evaluation]))).toEqual(evaluations);
    expect(first).toMatchObject({
      evaluation: { policy, lessonStart: at(0), lessonEnd: at(60), counts: { present: 1, late: 0, leftEarly: 1, absent: 0 } },
      neverJoined: [],
    });
    expect(first.participants).toHaveLength(4);
    const last = await attendanceOf(stores[name], room, 'finished', { cursor: first.nextCursor ?? '' }, bases);
    expect(last).toMatchObject({ participants: [], evaluation: { counts: { absent: 2 } }, neverJoined, nextCursor: null });
  });

  it('of attendance count who is present up to now', async () => {
    fixture.clock.at = NOON + 30 * 60_000;
    const room = await classWith([{ joinedAt: at(0), leftAt: at(10) }, { joinedAt: at(20) }]);
    const { participants } = await attendanceOf(stores[name], room, 'live');
    expect(participants).toMatchObject([{ uid: 'ada', duration: 1_200, lastLeftAt: null, isPresent: true, sessionCount: 2 }]);
  });

  it('of attendance end sessions whose end is not handled yet with their class', async () => {
    fixture.clock.at = NOON + 90 * 60_000;
    const room = await classWith([{ joinedAt: at(0), leftAt: at(10) }, { joinedAt: at(20) }]);
    const { participants } = await attendanceOf(stores[name], room, 'finished');
    expect(participants).toMatchObject([{ uid: 'ada', duration: 3_000, lastLeftAt: at(60), isPresent: false, sessionCount: 2 }]);
  });

  it('of sessions continue on the next page where the page before ended', async () => {
    const stays = Array.from({ length: 5 }, (_, n) => ({ joinedAt: at(n * 10), leftAt: at(n * 10 + 5) }));
    const { organizationId, roomId } = await classWith(stays);
    const pages = [1, 2, 3].map((page) => sessionsIn(stores[name], { organizationId, roomId, page, limit: 2 }));
    const answers = await Promise.all(pages);
    const joins = answers.map((answer) => ('sessions' in answer ? answer.sessions.map(({ joinedAt }) => joinedAt) : []));
    expect(joins).toEqual([[at(40), at(30)], [at(20), at(10)], [at(0)]]);
    expect(answers.map(({ pagination }) => pagination.hasMore)).toEqual([true, true, false]);
    expect(answers[0]?.summary).toMatchObject({ totalSessions: 5, totalDuration: 1_500, totalCredits: 25, roomsAttended: 1 });
  });

  it('of all rooms group the sessions, the latest room first', async () => {
    const first = await classWith([{ joinedAt: at(0), leftAt: at(10), ip: '10.0.0.1' }]);
    const second = await classWith([{ joinedAt: at(20), leftAt: at(21.5) }, { joinedAt: at(30) }], newRoom(first.organizationId));
    await fixture.foldAll([envelopeOf(roomStarted, second.sid, { ...second, title: "It's, \\ 数学" } as never)]);
    fixture.clock.at = NOON + 40 * 60_000;
    const answer = await sessionsIn(stores[name], { organizationId: first.organizationId });
    expect(answer).toMatchObject({
      participant: { name: 'Ada', role: 'STUDENT' },
      roomGroups: [
        {
          roomId: second.roomId,
          roomTitle: "It's, \\ 数学",
          totalDuration: 690,
          sessions: [
            { joinedAt: at(30), leftAt: null, duration: 600, isActive: true },
            { joinedAt: at(20), leftAt: at(21.5), duration: 90, isActive: false },
          ],
        },
        { roomId: first.roomId, totalDuration: 600, sessions: [{ joinedAt: at(0), duration: 600, ipAddress: '10.0.0.1' }] },
      ],
      pagination: { totalRooms: 2, hasMore: false },
      summary: { totalSessions: 3, totalDuration: 1_290, roomsAttended: 2 },
    });
  });

  it('count a session once, in its highest version, whatever order its versions arrived in', async () => {
    const connectionSid = `PA_${randomUUID()}`;
    const { organizationId } = await classWith([
      { connectionSid, version: 1, joinedAt: at(2), leftAt: null, closedBy: null },
      { connectionSid, version: 7, joinedAt: at(0), leftAt: at(10) },
      { connectionSid, version: 4, joinedAt: at(2), leftAt: at(50) },
    ]);
    expect((await sessionsIn(stores[name], { organizationId })).summary).toMatchObject({ totalSessions: 1, totalDuration: 600 });
  });

  it('contain no session of another organization, participant or day', async () => {
    const mine = await classWith([
      { joinedAt: at(0), leftAt: at(10) },
      { joinedAt: at(0), leftAt: at(10), uid: "ada' OR 1 = 1 --", name: 'Eve' },
      { joinedAt: at(-24 * 60), leftAt: at(-24 * 60 + 10) },
      { joinedAt: at(24 * 60), leftAt: at(24 * 60 + 10) },
    ]);
    await classWith([{ joinedAt: at(0), leftAt: at(30), name: 'Another Ada' }]);
    const store = stores[name];
    const answer = await sessionsIn(store, mine);
    expect(answer).toMatchObject({ participant: { name: 'Ada' }, summary: { totalSessions: 1, totalDuration: 600 } });
    expect(await sessionsIn(store, { ...mine, uid: "ada' OR 1 = 1 --" })).toMatchObject({ summary: { totalSessions: 1 } });
    const unknown = await sessionsIn(store, { organizationId: `org_${randomUUID()}` });
    expect(unknown).toMatchObject({ participant: { name: null }, roomGroups: [], summary: { totalSessions: 0, totalDuration: 0 } });
    const csv = await exported(store, mine);
    expect(csv.match(/Completed/g)).toHaveLength(3);
  });
});

describe('the copy in ClickHouse', () => {
  it('exports the same bytes as Postgres, over several chunks', async () => {
    const organizationId = `org_${randomUUID()}`;
    const sids = ['a', 'b'].map((name) => `RM_${organizationId}_${name}`);
    await fixture.dataSource.manager.insert(
      RoomMeterEntity,
      sids.map((sid) => ({ sid, organizationId, roomId: sid, title: 'A, "title"' })),
    );
    await fixture.stack.rows(
      `INSERT INTO billing.sessions_by_month (connection_sid, sid, organization_id, uid, name, role, ip, joined_at, left_at, opened_by, closed_by, version, month)
       SELECT 'PA_' || $1 || n, ($2::text[])[1 + n % 2], $1, 'ada', 'Ada', 'STUDENT', CASE n % 3 WHEN 0 THEN NULL ELSE 'a,b' END, at,
              CASE WHEN n % 7 = 0 THEN NULL ELSE at + random() * interval '2 hours' END, 'webhook', 'webhook', n, billing.session_month(at)
         FROM generate_series(1, 5500) n,
              LATERAL (SELECT timestamptz '2026-03-01T00:00:00Z' + (n % 1000) * interval '10 minutes' + random() * interval '2 minutes' AS at) r`,
      [organizationId, sids],
    );
    for await (const _ of new BackfillSessions(new BackfillRepository(fixture.database), copy).run());
    const [wanted, text] = await Promise.all([stores.Postgres, stores.ClickHouse].map((store) => exported(store, { organizationId })));
    expect(wanted?.split('\r\n').length).toBeGreaterThan(5_500);
    expect(text?.split('\r\n').find((line, n) => line !== wanted?.split('\r\n')[n])).toBeUndefined();
    expect(text).toHaveLength(wanted?.length ?? 0);
    for (const sid of sids) {
      const room = { organizationId, sid, roomId: sid };
      const [expected, attendance] = await Promise.all(
        [stores.Postgres, stores.ClickHouse].map((store) => attendanceOf(store, room, 'live')),
      );
      expect(attendance).toEqual(expected);
    }
  });

  it('gets a session that billing fetched from room because its fact was lost', async () => {
    Object.assign(fixture.config, { REPORTS_CLICKHOUSE_URL: fixture.stack.urls.clickhouse });
    const room = newRoom((await fixture.organization()).organizationId);
    const connections = toFacts(room, [{ joinedAt: at(0), leftAt: at(10) }]).map(({ data }) => data);
    const ends = { title: 'Algebra', startedAt: at(0), endedAt: at(10), reason: 'deleted' as const };
    const totals = { connections: 1, totalSeconds: 600, versionSum: 1, lastVersion: 1 };
    fixture.connectionsOf = (async () => ({ connections })) as unknown as RpcClient['call'];
    fixture.clock.at = NOON;
    await fixture.fold(envelopeOf(roomFinished, room.sid, { ...room, ...ends, ...totals }));
    fixture.clock.at = NOON + 120_000;
    await fixture.catchUp.run();
    await feed.execute((await writtenFacts(fixture.stack, sessionRecovered)).map(untraced));
    expect((await sessionsIn(copy, room)).summary).toMatchObject({ totalSessions: 1, totalDuration: 600 });
  });

  inLongForm(it)('waits while ClickHouse is unreachable: reports answer SERVICE_UNAVAILABLE, and billing continues', async () => {
    const { stack } = fixture;
    connection = await connectNats(stack.urls.nats, 'test');
    await applyStreams(connection);
    consumer = new DurableConsumer<EventEnvelope<Connection>>(jetstream(connection), {
      declaration: OPTIONAL_CONSUMERS.billingReports,
      concurrency: 1,
      batchSize: 2_048,
      keyOf: ({ subject }) => subject,
      handle: (facts) => feed.execute(facts),
    });
    consumer.start();
    const { organizationId } = await fixture.organization();
    const room = newRoom(organizationId);
    const [one, other] = toFacts(room, [
      { joinedAt: at(0), leftAt: at(10) },
      { joinedAt: at(20), leftAt: at(30) },
    ]);
    if (!one || !other) throw new Error('two facts');
    await publishFact(stack, participantConnection, room.sid, one.data);
    await eventually(async () => expect((await sessionsIn(copy, { organizationId })).summary).toMatchObject({ totalDuration: 600 }));

    await stack.part('clickhouse').kill();
    await publishFact(stack, participantConnection, room.sid, other.data);
    await fixture.foldAll([one, other]);
    for (const read of [sessionsIn(copy, { organizationId }), attendanceOf(copy, room, 'live'), exported(copy, room)])
      await expect(read).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect((await sessionsIn(stores.Postgres, { organizationId })).summary).toMatchObject({ totalDuration: 1_200 });
    expect(await unhandled(stack, 'billingReports')).toBe(1);

    await stack.part('clickhouse').start();
    await eventually(async () =>
      expect((await sessionsIn(copy, { organizationId })).summary).toMatchObject({ totalSessions: 2, totalDuration: 1_200 }),
    );
    await eventually(async () => expect(await unhandled(stack, 'billingReports')).toBe(0));
  });
});

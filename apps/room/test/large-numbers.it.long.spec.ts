import { randomUUID } from 'node:crypto';
import { deleteRoom, getRoomSummary, roomCorrected, roomFinished, type EventContract } from '@classroom/contracts';
import { connect, Database, queryOf, type Transaction } from '@classroom/persistence';
import { eventually, inLongForm, rowsRead, writtenFacts } from '@classroom/testing';
import { EvaluateAttendance } from '../src/reports/evaluate-attendance.js';
import { AttendanceRepository } from '../src/presence/attendance.repository.js';
import { ConnectionsRepository } from '../src/presence/connections.repository.js';
import type { Room } from '../src/rooms/room.js';
import { RosterRepository } from '../src/rooms/roster.repository.js';
import { entities } from '../src/schema/sql.js';
import { RoomFixture } from './support/room-fixture.js';

const DAY_S = 86_400;
const CLOSED = 20_000;

let fixture: RoomFixture;
beforeAll(async () => {
  fixture = await RoomFixture.start();
});
afterAll(() => fixture?.stop());

const now = () => Math.floor(Date.now() / 1000);

function webhook(event: string, sid: string, participant: { sid: string; joinedAt?: number }, createdAt: number) {
  const { sid: connectionSid, joinedAt } = participant;
  const person = {
    sid: connectionSid,
    identity: `uid-of-${connectionSid}`,
    state: event === 'participant_left' ? 'DISCONNECTED' : 'ACTIVE',
  };
  return fixture.webhook({
    event,
    id: `EV_${randomUUID()}`,
    createdAt: String(createdAt),
    room: { name: sid },
    participant: { ...person, ...(joinedAt === undefined ? {} : { joinedAt: String(joinedAt) }) },
  });
}

const facts = async <C extends EventContract>(contract: C, sid: string) =>
  (await writtenFacts(fixture.stack, contract)).filter(({ subject }) => subject === sid);

/** Connections that ended before, by expressions of their number `n` and of the room's columns. */
async function closedConnections(sid: string, count: number, of: Record<'connectionSid' | 'uid' | 'joinedAt' | 'leftAt' | 'by', string>) {
  await fixture.stack.rows(
    `INSERT INTO room.connections_by_month (connection_sid, sid, uid, name, role, joined_at, left_at, opened_by, closed_by, version, month)
     SELECT ${of.connectionSid}, $1, ${of.uid}, 'A student', 'STUDENT', ${of.joinedAt}, ${of.leftAt}, ${of.by}, ${of.by}, 1000 + n,
            room.connection_month(created_at)
       FROM generate_series(1, ${count}) n, room.rooms WHERE rooms.sid = $1`,
    [sid],
  );
}

it('a room with more than 2^31 seconds of participation is summed up, ends, and is corrected', async () => {
  const { sid, roomId } = await fixture.newRoom();
  await fixture.visited(sid);
  // A thousand people for thirty days, known only from lists.
  await fixture.age(sid, 31 * DAY_S, 'rooms.created_at');
  await fixture.stack.rows(
    'UPDATE room.connections_by_month c SET month = room.connection_month(r.created_at) FROM room.rooms r WHERE r.sid = c.sid AND c.sid = $1',
    [sid],
  );
  await closedConnections(sid, 1_000, {
    connectionSid: `'PA_long_' || n`,
    uid: `'uid-' || n`,
    joinedAt: `date_trunc('second', now()) - interval '30 days'`,
    leftAt: `date_trunc('second', now())`,
    by: `'reconciler'`,
  });
  const seconds = 1000 * 30 * DAY_S;
  const { organizationId } = fixture;
  const summary = await fixture.call(getRoomSummary, { organizationId, roomId });
  expect(summary.totalCredits).toBeGreaterThanOrEqual(seconds / 60);
  await fixture.call(deleteRoom, { organizationId, roomId });
  const [finished] = await facts(roomFinished, sid);
  expect(finished?.data).toMatchObject({ connections: 1001 });
  expect(finished?.data.totalSeconds).toBeGreaterThanOrEqual(seconds);

  await webhook('participant_left', sid, { sid: 'PA_long_1', joinedAt: now() - 30 * DAY_S }, now() - DAY_S);
  await eventually(async () => {
    const [corrected] = await facts(roomCorrected, sid);
    expect(corrected?.data.totalSeconds).toBeLessThan(finished?.data.totalSeconds ?? 0);
    expect(corrected?.data.totalSeconds).toBeGreaterThan(2 ** 31);
  });
});

it('a connection after 19 January 2038 is counted like any other', async () => {
  const { sid } = await fixture.newRoom();
  const joinedAt = 2 ** 31 + 100;
  await webhook('participant_joined', sid, { sid: `PA_${sid}`, joinedAt }, joinedAt);
  await eventually(async () =>
    expect(await fixture.state(sid)).toMatchObject({ state: 'live', count: 1, startedAt: new Date(joinedAt * 1000) }),
  );
  await webhook('participant_left', sid, { sid: `PA_${sid}`, joinedAt }, joinedAt + 60);
  await eventually(async () => expect(await fixture.state(sid)).toMatchObject({ count: 0, lastLeftAt: new Date((joinedAt + 60) * 1000) }));
});

it('a `left` without the start of its connection charges no earlier time', async () => {
  const { sid } = await fixture.newRoom();
  const at = now();
  await webhook('participant_left', sid, { sid: `PA_${sid}` }, at);
  await eventually(async () =>
    expect(await fixture.state(sid)).toMatchObject({ state: 'live', startedAt: new Date(at * 1000), lastLeftAt: new Date(at * 1000) }),
  );
});

it('a join and a leave read the open connections of a room, not the thousands that were closed before', async () => {
  const { sid } = await fixture.newRoom();
  await fixture.visited(sid);
  const { startedAt } = await fixture.state(sid);
  await closedConnections(sid, CLOSED, {
    connectionSid: `'PA_' || n`,
    uid: `'uid-' || n`,
    joinedAt: 'started_at',
    leftAt: `started_at + interval '1 hour'`,
    by: `'webhook'`,
  });
  await fixture.stack.rows('ANALYZE room.connections_by_month');
  const { sid: connectionSid } = await fixture.livekit.connect({ room: sid, identity: 'eve', attributes: { role: 'STUDENT' } });
  await eventually(async () =>
    expect(await fixture.state(sid)).toMatchObject({
      state: 'live',
      count: 1,
      startedAt,
      lastLeftAt: new Date((startedAt?.getTime() ?? 0) + 3_600_000),
    }),
  );
  let read = 0;
  const url = `${fixture.stack.urls.postgresAdmin}?options=-c%20search_path%3Droom`;
  const dataSource = await connect({ url, schema: 'room', entities });
  const database = new Database(dataSource);
  const summary = database.transaction((tx) => {
    const run: Transaction['run'] = async (statement, ...parameters) => {
      read += await rowsRead((text, values) => tx.manager.query(text, values), statement.text, queryOf(statement, parameters).values);
      return tx.run(statement, ...parameters);
    };
    return new ConnectionsRepository(database).summarizePresence(Object.assign(Object.create(tx) as Transaction, { run }), [sid]);
  });
  expect((await summary.finally(() => dataSource.destroy())).get(sid)).toMatchObject({ count: 1, hasTeacher: false });
  expect(read).toBeLessThan(20);
  await fixture.livekit.leave(connectionSid);
  await eventually(async () => expect(await fixture.state(sid)).toMatchObject({ count: 0 }));
});

it('a class with more closed connections than a call takes arguments is evaluated at its end', async () => {
  const CONNECTIONS = 130_001;
  const { sid, roomId } = await fixture.newRoom();
  const at = (seconds: string) => `date_trunc('second', created_at) + ${seconds} * interval '1 s'`;
  await closedConnections(sid, CONNECTIONS, {
    connectionSid: `'PA_many_' || n`,
    uid: `'uid-' || n % 10`,
    joinedAt: at('n % 3000'),
    leftAt: at('(n % 3000 + 1)'),
    by: `'webhook'`,
  });
  const url = `${fixture.stack.urls.postgresAdmin}?options=-c%20search_path%3Droom`;
  const dataSource = await connect({ url, schema: 'room', entities });
  const database = new Database(dataSource);
  const createdAt = new Date(Math.floor((await fixture.state(sid)).createdAt.getTime() / 1000) * 1000);
  const attendance = { lateAfter: 300, leftBefore: 300, minimumPresence: 50, reconnectGrace: 60 };
  const room = { sid, roomId, organizationId: fixture.organizationId, title: 'A class', settings: { attendance }, startedAt: createdAt };
  const evaluate = new EvaluateAttendance(new AttendanceRepository(database), new RosterRepository(database));
  const endedAt = new Date(createdAt.getTime() + 3_600_000);
  const [evaluated] = await database
    .transaction((tx) => evaluate.execute(tx, room as unknown as Room, endedAt))
    .finally(() => dataSource.destroy());
  const lessonEnd = new Date(createdAt.getTime() + 3_000_000).toISOString();
  expect(evaluated?.data).toMatchObject({ lessonEnd, counts: expect.any(Object), furtherPeople: 0 });
  await fixture.stack.rows('DELETE FROM room.connections_by_month WHERE sid = $1', [sid]);
});

/** Waits until LiveKit has confirmed the room `times` more times. */
async function verified(sid: string, times: number): Promise<void> {
  const seen = new Set([(await fixture.state(sid)).verifiedAt?.getTime()]);
  await eventually(async () => expect(seen.add((await fixture.state(sid)).verifiedAt?.getTime()).size).toBeGreaterThan(times));
}

inLongForm(it)('the reconciler verifies the other rooms in turn while LiveKit gives no answer for many', async () => {
  const rooms = await Promise.all(Array.from({ length: 41 }, () => fixture.newRoom()));
  await fixture.livekit.connectMany(rooms.map(({ sid }) => ({ room: sid, identity: 'ada', attributes: { role: 'TEACHER' } })));
  const sids = rooms.map(({ sid }) => sid);
  for (const sid of sids)
    await eventually(async () => expect(await fixture.state(sid)).toMatchObject({ state: 'live', verifiedAt: expect.any(Date) }));
  const [answered = '', ...silent] = sids;
  await fixture.livekit.faults({ lists: { mode: 'unavailable', rooms: silent } });
  await verified(answered, 3);
  await fixture.livekit.clearFaults();
  await Promise.all(silent.map((sid) => verified(sid, 1)));
});

it('queries that run each second do not read a table of all rooms', async () => {
  await fixture.stack.rows(
    `INSERT INTO room.rooms (sid, organization_id, room_id, title, customization, state, media, created_at, ended_at)
     SELECT 'RM_old_' || n, 'org_old', 'room-' || n, 'A class of long ago', '{}', 'finished', 'closed', now() - interval '1 year', now() - interval '1 year'
       FROM generate_series(1, 20000) n`,
  );
  await fixture.stack.rows('ANALYZE room.rooms');
  // Every loop begins with its first run, including those that run once a minute.
  await fixture.stack.app('room').stop();
  // Postgres counts a connection's reads at the latest when it is closed, or when it is asked to.
  await eventually(async () =>
    expect(
      await fixture.stack.rows(`SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`),
    ).toEqual([]),
  );
  await fixture.stack.rows('SELECT pg_stat_force_next_flush()');
  const reads = async () => {
    const [row] = await fixture.stack.rows<{ sequential: number; due: number }>(
      `SELECT t.seq_tup_read::float8 AS sequential, i.idx_scan::float8 AS due
         FROM pg_stat_user_tables t JOIN pg_stat_user_indexes i USING (relid) WHERE t.relid = 'room.rooms'::regclass AND i.indexrelname = 'rooms_due'`,
    );
    return row ?? { sequential: 0, due: 0 };
  };
  const before = await reads();
  await fixture.stack.app('room').start();
  await eventually(async () => expect((await reads()).due).toBeGreaterThan(before.due + 3));
  expect((await reads()).sequential).toBe(before.sequential);
});

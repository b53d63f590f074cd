import { randomUUID } from 'node:crypto';
import { billingRpc, type RpcRequest } from '@classroom/contracts';
import type { TextStreams } from '@classroom/messaging';
import { ExportSessions } from '../src/reports/export-sessions.js';
import { ParticipantSessions } from '../src/reports/participant-sessions.js';
import { PostgresSessionsRepository } from '../src/reports/postgres-sessions.repository.js';
import { RoomsRepository } from '../src/reports/rooms.repository.js';
import { RoomMeterEntity } from '../src/schema/room-meter.entity.js';
import { SessionEntity } from '../src/schema/session.entity.js';
import { BillingFixture } from './support/billing-fixture.js';

/** More than two chunks. */
const MANY = 11_000;

let fixture: BillingFixture;
beforeAll(async () => {
  fixture = await BillingFixture.start();
});
afterAll(() => fixture?.stop());

/** Titles and addresses that need quotes, apostrophes or neither. */
const TEXTS = ['plain', 'two words', 'a,b', 'say "hi"', '=SUM(A1)', '+1', '-1', '@x', '= 1', 'line\nbreak', '', 'Größe', '数学'];

interface Inserted {
  organizationId: string;
  sids: string[];
}

/** Sessions of one participant in a room for each title, with random times: some within a second, some still active, some of no length. */
async function insert(count: number): Promise<Inserted> {
  const organizationId = `org_${randomUUID()}`;
  const sids = TEXTS.map((_, n) => `RM_${organizationId}_${n}`);
  const { manager } = fixture.dataSource;
  await manager.insert(
    RoomMeterEntity,
    sids.map((sid, n) => ({ sid, organizationId, roomId: `room ${n + 1}"`, title: TEXTS[n] ?? '' })),
  );
  await fixture.stack.rows(
    `INSERT INTO billing.sessions_by_month (connection_sid, sid, organization_id, uid, name, role, ip, joined_at, left_at, opened_by, closed_by, version, month)
     SELECT 'PA_' || $1 || n, ($2::text[])[1 + n % array_length($2, 1)], $1, 'ada', 'Ada', 'STUDENT',
            CASE n % 4 WHEN 0 THEN NULL ELSE ($3::text[])[1 + n % array_length($3, 1)] END, at,
            CASE WHEN n % 7 = 0 THEN NULL ELSE greatest(at, at + (random() * 9000 - 30) * interval '1 second') END, 'webhook', 'webhook', n,
            billing.session_month(at)
       FROM generate_series(1, $4::int) n,
            LATERAL (SELECT CASE WHEN n % 3 = 0 THEN date_trunc('second', t) ELSE t END AS at
                       FROM (SELECT timestamptz '2026-03-01T00:00:00Z' + (n % 1000) * interval '40 minutes' + random() * interval '2 minutes' AS t) r) a`,
    [organizationId, sids, TEXTS, count],
  );
  return { organizationId, sids };
}

/** The lines of the sessions as the report writes them. */
async function exported(query: Omit<RpcRequest<typeof billingRpc.exportSessions>, 'inbox'>, header: string): Promise<string> {
  const store = new PostgresSessionsRepository(fixture.database);
  const rooms = new RoomsRepository(fixture.database);
  let text = '';
  const streams = {
    open: async (_: string, source: () => AsyncIterable<string>) => {
      for await (const part of source()) text += part;
      return {};
    },
  } as unknown as TextStreams;
  await new ExportSessions(new ParticipantSessions(store, rooms, fixture.clock), store, rooms, streams).execute({
    ...query,
    inbox: 'inbox',
  } as never);
  return text.slice(text.indexOf(header)).slice(header.length);
}

/** The same lines, written by the SQL functions of the first release. */
async function expected({ organizationId }: Inserted, sid: string | null, head: string): Promise<string> {
  const seconds = `floor(greatest(0, extract(epoch FROM coalesce(s.left_at, $3) - s.joined_at)))`;
  const [row] = await fixture.stack.rows<{ text: string }>(
    `SELECT string_agg(head || ',' || billing.csv_instant(joined_at) || ',' || billing.csv_instant(left_at) || ',' || minutes || ',' || minutes ||
              CASE WHEN left_at IS NULL THEN ',Active,' ELSE ',Completed,' END || billing.csv_cell(coalesce(ip, '')) || E'\\r\\n', ''
              ORDER BY joined_at DESC, connection_sid DESC) AS text
       FROM (SELECT s.*, ${head} AS head, billing.csv_minutes(${seconds}) AS minutes FROM billing.sessions_by_month s JOIN billing.room_meters m USING (sid)
              WHERE s.organization_id = $1 AND ($2::text IS NULL OR s.sid = $2)) lines`,
    [organizationId, sid, fixture.clock.now()],
  );
  return row?.text ?? '';
}

const QUERY = { uid: 'ada', startDate: '2026-02-01', endDate: '2026-12-31', page: 1, limit: 10, isTable: false } as const;

test('a report of all rooms has the bytes that Postgres would write', async () => {
  const inserted = await insert(MANY);
  const text = await exported({ organizationId: inserted.organizationId, ...QUERY }, 'Credits,Status,IP Address\r\n');
  const lines = text.split('\r\n');
  expect(lines.length).toBeGreaterThan(MANY);
  const wanted = (await expected(inserted, null, `billing.csv_cell(m.room_id) || ',' || billing.csv_cell(m.title)`)).split('\r\n');
  // Compared by line, so that a failure shows the first that differs.
  expect(lines.find((line, at) => line !== wanted[at])).toBeUndefined();
  expect(lines).toHaveLength(wanted.length);
});

test('a report of one room numbers its sessions over all chunks', async () => {
  const inserted = await insert(3);
  const [sid = ''] = inserted.sids;
  await fixture.dataSource.manager.update(SessionEntity, { organizationId: inserted.organizationId }, { sid });
  const text = await exported({ organizationId: inserted.organizationId, roomId: 'room 1"', ...QUERY }, 'Status,IP Address\r\n');
  const number = '(row_number() OVER (ORDER BY s.joined_at DESC, s.connection_sid DESC))::text';
  expect(text).toBe(await expected(inserted, sid, number));
});

test('a report without sessions has no lines', async () => {
  expect(await exported({ organizationId: `org_${randomUUID()}`, ...QUERY }, 'Credits,Status,IP Address\r\n')).toBe('');
});

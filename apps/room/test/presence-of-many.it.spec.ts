import type { DataSource } from 'typeorm';
import { connect, Database, type Statement, type Transaction } from '@classroom/persistence';
import { eventually, rowsRead } from '@classroom/testing';
import { entities } from '../src/schema/sql.js';
import { ConnectionsRepository } from '../src/presence/connections.repository.js';
import { RoomFixture } from './support/room-fixture.js';

const CLOSED = 20_000;

let fixture: RoomFixture;
let dataSource: DataSource;
let database: Database;
beforeAll(async () => {
  fixture = await RoomFixture.start();
  dataSource = await connect({ url: `${fixture.stack.urls.postgresAdmin}?options=-c%20search_path%3Droom`, schema: 'room', entities });
  database = new Database(dataSource);
});
afterAll(async () => {
  await dataSource?.destroy();
  await fixture?.stop();
});

it('a join and a leave read the open connections of a room, not the thousands that were closed before', async () => {
  const { sid } = await fixture.newRoom();
  await fixture.visited(sid);
  const { startedAt } = await fixture.state(sid);
  await fixture.stack.rows(
    `INSERT INTO room.connections (connection_sid, sid, uid, name, role, joined_at, left_at, opened_by, closed_by, version)
     SELECT 'PA_' || n, $1, 'uid-' || n, 'A student', 'STUDENT', $2, $2::timestamptz + interval '1 hour', 'webhook', 'webhook', 1000 + n FROM generate_series(1, ${CLOSED}) n`,
    [sid, startedAt],
  );
  await fixture.stack.rows('ANALYZE room.connections');
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
  const presence = await database.transaction((tx) => {
    const run = async (statement: Statement, ...parameters: unknown[]) => {
      read += await rowsRead((text, values) => tx.manager.query(text, values), statement.text, parameters);
      return tx.run(statement, ...parameters);
    };
    return new ConnectionsRepository(database).summarizePresence(Object.assign(Object.create(tx) as Transaction, { run }), sid);
  });
  expect(presence).toMatchObject({ count: 1, hasTeacher: false });
  expect(read).toBeLessThan(20);
  await fixture.livekit.leave(connectionSid);
  await eventually(async () => expect(await fixture.state(sid)).toMatchObject({ count: 0 }));
});

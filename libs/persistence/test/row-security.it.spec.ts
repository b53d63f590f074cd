import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect as connectTo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inOrganization } from '@classroom/platform';
import { TestStack } from '@classroom/testing';
import type { DataSource } from 'typeorm';
import { connect, Database, runMigrations, statements, type StatementTypes } from '../src/index.js';

jest.setTimeout(60_000);

const TABLES = `
  CREATE TABLE rooms (sid text PRIMARY KEY, organization_id text NOT NULL, title text NOT NULL);
  CREATE TABLE people (sid text REFERENCES rooms, name text NOT NULL);
  COMMENT ON TABLE people IS 'belongs to rooms by sid';
  CREATE TABLE loops (name text);
  INSERT INTO rooms VALUES ('a1', 'a', 'Maths'), ('b1', 'b', 'Physics'), ('b2', 'b', 'Music');
  INSERT INTO people VALUES ('a1', 'Ann'), ('b1', 'Ben');
  INSERT INTO loops VALUES ('sweep');`;

interface Types extends StatementTypes {
  parameters: string[];
  row: Record<string, string>;
}
const sql = statements<Record<string, Types>>('walled');
const sids = sql('walled.sids', 'SELECT sid FROM rooms ORDER BY sid');
const names = sql('walled.names', 'SELECT name FROM people ORDER BY name');
const rename = sql('walled.rename', 'UPDATE rooms SET title = $1 RETURNING sid');
const insert = sql('walled.insert', 'INSERT INTO rooms VALUES ($1, $2, $3)');
const add = sql('walled.add', 'INSERT INTO people VALUES ($1, $2)');
const leave = sql('walled.leave', 'DELETE FROM people RETURNING name');
const fail = sql('walled.fail', 'SELECT 1 / length(title) FROM rooms WHERE title = $1 OR 1 / (length(sid) - 2) = 1');

/** The bytes of the message ReadyForQuery. Postgres ends each flight of answers with it. */
const READY_FOR_QUERY = 6;

/** Delivers each ReadyForQuery later than what precedes it, such as the error of the statement, as a network does that splits packets. */
async function splitAnswers(port: number): Promise<Server> {
  const proxy = createServer((client) => {
    const server = connectTo(port, '127.0.0.1');
    client.pipe(server);
    server.on('data', (bytes) => {
      const at = bytes.length - READY_FOR_QUERY;
      if (bytes[at] !== 'Z'.charCodeAt(0)) {
        client.write(bytes);
        return;
      }
      server.pause();
      client.write(bytes.subarray(0, at));
      setTimeout(() => {
        client.write(bytes.subarray(at));
        server.resume();
      }, 5);
    });
    for (const [socket, other] of [[client, server] as const, [server, client] as const]) {
      socket.setNoDelay();
      socket.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  return proxy;
}

/** Statements here name no organization: what they see is decided by row-level security alone. */
describe.each(['whole', 'split'])('a statement whose answers arrive %s', (arrival) => {
  let stack: TestStack;
  let proxy: Server | undefined;
  let source: DataSource;
  let database: Database;
  let url: URL;

  beforeAll(async () => {
    stack = await TestStack.parts(['postgres']);
    const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
    writeFileSync(join(folder, '1700000000000-rooms.sql'), TABLES);
    url = new URL(stack.urls.postgresAdmin);
    const admin = url.href;
    url.username = 'classroom_walled';
    url.password = 'pw';
    await runMigrations({ schema: 'walled', directories: [folder], config: { DATABASE_URL: url.href, DATABASE_ADMIN_URL: admin } });
    rmSync(folder, { recursive: true });
    if (arrival === 'split') {
      proxy = await splitAnswers(Number(url.port));
      url.port = String((proxy.address() as AddressInfo).port);
    }
    source = await connect({ schema: 'walled', url: url.href, poolSize: 1 });
    database = new Database(source);
  });

  afterAll(async () => {
    await source?.destroy();
    proxy?.close();
    await stack?.stop();
  });

  const sidsOf = async () => (await database.run(sids)).map(({ sid }) => sid);
  const ALL = ['a1', 'b1', 'b2'];

  it('sees and changes the rows of its organization only', async () => {
    expect(await inOrganization('a', sidsOf)).toEqual(['a1']);
    expect(await inOrganization('b', () => database.run(rename, 'Sport'))).toEqual([{ sid: 'b1' }, { sid: 'b2' }]);
    expect(await inOrganization('c', () => database.run(rename, 'Theirs'))).toEqual([]);
    expect(await stack.rows('SELECT DISTINCT title FROM walled.rooms ORDER BY title')).toEqual([{ title: 'Maths' }, { title: 'Sport' }]);
  });

  it('sees rows without an organization by the row that they belong to', async () => {
    expect(await inOrganization('a', () => database.run(names))).toEqual([{ name: 'Ann' }]);
    expect(await inOrganization('a', () => database.transaction((tx) => tx.run(leave)))).toEqual([{ name: 'Ann' }]);
    await inOrganization('a', () => database.run(add, 'a1', 'Ann'));
    expect(await database.run(names)).toEqual([{ name: 'Ann' }, { name: 'Ben' }]);
  });

  it('cannot add rows to another organization', async () => {
    const refused = { driverError: { code: '42501' } };
    await expect(inOrganization('a', () => database.run(insert, 'x', 'b', 'Art'))).rejects.toThrow(/row-level security/);
    await expect(inOrganization('a', () => database.run(add, 'b1', 'Eve'))).rejects.toThrow(/row-level security/);
    await expect(inOrganization('a', () => source.query(`INSERT INTO rooms VALUES ('x', 'b', 'Art')`))).rejects.toMatchObject(refused);
    expect(await sidsOf()).toEqual(ALL);
  });

  it('sees all rows in background work, also between requests on one connection', async () => {
    const seen = await Promise.all([
      inOrganization('a', sidsOf),
      sidsOf(),
      inOrganization('b', sidsOf),
      sidsOf(),
      inOrganization('a', sidsOf),
    ]);
    expect(seen).toEqual([['a1'], ALL, ['b1', 'b2'], ALL, ['a1']]);
  });

  it('belongs to the organization that requested it, although it waits for the connection of another', async () => {
    const [first, second] = await Promise.all([
      inOrganization('a', () =>
        database.transaction(async (tx) => {
          await new Promise((resolve) => setTimeout(resolve, 50));
          return tx.run(sids);
        }),
      ),
      inOrganization('b', async () => [await sidsOf(), await source.query('SELECT sid FROM rooms ORDER BY sid')]),
    ]);
    expect(first).toEqual([{ sid: 'a1' }]);
    expect(second).toEqual([
      ['b1', 'b2'],
      [{ sid: 'b1' }, { sid: 'b2' }],
    ]);
  });

  it('sees the same in a transaction and through an entity manager, and leaves nothing to the next one', async () => {
    const all = 'SELECT sid FROM rooms ORDER BY sid';
    await inOrganization('a', async () => {
      expect(await database.transaction(async (tx) => [await tx.run(sids), await tx.manager.query(all)])).toEqual([
        [{ sid: 'a1' }],
        [{ sid: 'a1' }],
      ]);
      await expect(database.transaction((tx) => tx.manager.query('SELECT 1 / 0'))).rejects.toThrow(/division by zero/);
    });
    expect(await source.query('SELECT current_user AS role, current_setting($1, true) AS organization', ['app.organization'])).toEqual([
      { role: 'classroom_walled', organization: '' },
    ]);
    expect(await sidsOf()).toEqual(ALL);
  });

  it('keeps its own answer and error', async () => {
    await inOrganization('a', async () => {
      await expect(database.run(fail, 'x')).rejects.toThrow(/division by zero/);
      expect(await database.run(sql('walled.two', `SELECT 'x' AS first UNION ALL SELECT 'y' ORDER BY 1`))).toEqual([
        { first: 'x' },
        { first: 'y' },
      ]);
      expect(await database.run(sql('walled.none', `SELECT sid FROM rooms WHERE sid = $1`), 'b1')).toEqual([]);
    });
  });

  it('reads tables without rows of organizations in any work', async () => {
    const loops = sql('walled.loops', 'SELECT name FROM loops');
    expect(await inOrganization('a', () => database.run(loops))).toEqual([{ name: 'sweep' }]);
  });

  it('sees no row in the tenant role without an organization', async () => {
    await source.query(`SELECT set_config('role', 'classroom_walled_tenant', false)`);
    expect(await sidsOf()).toEqual([]);
    await source.query('RESET ROLE');
    expect(await sidsOf()).toEqual(ALL);
  });
});

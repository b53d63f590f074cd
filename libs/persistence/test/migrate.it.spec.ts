import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, TestStack } from '@classroom/testing';
import { Client } from 'pg';
import { runMigrations } from '../src/index.js';

jest.setTimeout(60_000);

let stack: TestStack;
let directory: string;
beforeAll(async () => {
  stack = await TestStack.parts(['postgres']);
  directory = mkdtempSync(join(tmpdir(), 'migrations-'));
  writeFileSync(join(directory, '1700000000000-things.sql'), 'CREATE TABLE things (id int PRIMARY KEY);');
});
afterAll(async () => {
  await stack?.stop();
  rmSync(directory, { recursive: true, force: true });
});

const urlOf = (role: string, password: string): string => {
  const url = new URL(stack.urls.postgresAdmin);
  url.username = role;
  url.password = encodeURIComponent(password);
  return url.href;
};

const migrate = (schema: string, url: string, settings: { DATABASE_CONNECTION_LIMIT?: number } = {}) =>
  runMigrations({
    schema,
    directories: [directory],
    config: { DATABASE_URL: url, DATABASE_ADMIN_URL: stack.urls.postgresAdmin, ...settings },
  });

/**
 * The number of rows that the role sees after login with the URL's password.
 * @throws if the login is refused
 */
async function logIn(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query('SELECT * FROM things')).rows.length;
  } finally {
    await client.end();
  }
}

describe('a role', () => {
  it('has the password in DATABASE_URL after each run of the migrations', async () => {
    const [first, second] = ["first'pass$word", 'second/päss:word@%'].map((password) => urlOf('rotated', password)) as [string, string];
    expect(await migrate('rotated', first)).toEqual(['things_1700000000000']);
    expect(await logIn(first)).toBe(0);
    await expect(logIn(second)).rejects.toMatchObject({ code: '28P01' });

    expect(await migrate('rotated', second)).toEqual([]);
    expect(await logIn(second)).toBe(0);
    await expect(logIn(first)).rejects.toMatchObject({ code: '28P01' });
    await Promise.all([migrate('rotated', second), migrate('rotated', second)]);
    expect(await logIn(second)).toBe(0);
  });

  it('keeps its password if the URL has none', async () => {
    const url = urlOf('known', 'by-password');
    await migrate('known', url);
    await migrate('known', url.replace(':by-password@', '@'));
    expect(await logIn(url)).toBe(0);
  });

  it('limits the time of its statements and of its idle transactions on every connection', async () => {
    const url = urlOf('limited', 'pw');
    await migrate('limited', url);
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query(
      `SELECT current_setting('statement_timeout') AS statement, current_setting('idle_in_transaction_session_timeout') AS idle`,
    );
    await client.end();
    expect(rows).toEqual([{ statement: '10s', idle: '15s' }]);
  });

  it('may open as many connections as its limit, which leaves the others to other roles', async () => {
    const [greedy, neighbour] = [urlOf('greedy', 'pw'), urlOf('neighbour', 'pw')];
    await migrate('greedy', greedy, { DATABASE_CONNECTION_LIMIT: 3 });
    await migrate('neighbour', neighbour);
    const held = await Promise.all(
      [1, 2, 3].map(async () => {
        const client = new Client({ connectionString: greedy });
        await client.connect();
        return client;
      }),
    );
    // Neither the tenant role nor the migration counts against another limit.
    await held[0]?.query('SET ROLE greedy_tenant');
    await expect(logIn(greedy)).rejects.toMatchObject({ code: '53300' });
    expect(await logIn(neighbour)).toBe(0);
    expect(await migrate('greedy', greedy, { DATABASE_CONNECTION_LIMIT: 4 })).toEqual([]);
    expect(await logIn(greedy)).toBe(0);
    await Promise.all(held.map((client) => client.end()));
  });

  it('may open half of the server’s connections by default', async () => {
    await migrate('halved', urlOf('halved', 'pw'));
    const limits = await stack.rows(
      `SELECT rolconnlimit AS "limit", current_setting('max_connections')::int AS "all" FROM pg_roles WHERE rolname = 'halved'`,
    );
    expect(limits).toEqual([{ limit: 100, all: 200 }]);
  });

  it('never has its password in the server’s log, even if it logs statements', async () => {
    await stack.rows(`ALTER SYSTEM SET log_statement = 'all'`);
    await stack.rows('SELECT pg_reload_conf()');
    await eventually(async () => expect(await stack.rows('SHOW log_statement')).toEqual([{ log_statement: 'all' }]));
    await migrate('logged', urlOf('logged', 'not-to-be-read'));
    await eventually(() => expect(stack.log('postgres')).toMatch(/ALTER ROLE "logged" PASSWORD/));
    expect(stack.log('postgres')).not.toContain('not-to-be-read');
  });
});

describe('an index that is built concurrently with writes', () => {
  it('has no time limit, while all other statements have ten minutes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
    const limitIs = (limit: string) =>
      `CREATE FUNCTION limit_is_${limit}(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
       BEGIN IF current_setting('statement_timeout') <> '${limit}' THEN RAISE 'not ${limit}'; END IF; RETURN $1; END $$;`;
    writeFileSync(
      join(folder, '1700000000000-things.sql'),
      `CREATE TABLE things (id int); INSERT INTO things VALUES (1); ${limitIs('0')} ${limitIs('10min')}`,
    );
    writeFileSync(join(folder, '1700000000001-index.sql'), 'CREATE INDEX CONCURRENTLY things_by_limit ON things (limit_is_0(id));');
    writeFileSync(join(folder, '1700000000002-after.sql'), 'SELECT limit_is_10min(1);');
    const config = { DATABASE_URL: urlOf('indexed', 'pw'), DATABASE_ADMIN_URL: stack.urls.postgresAdmin };
    expect(await runMigrations({ schema: 'indexed', directories: [folder], config })).toHaveLength(3);
    rmSync(folder, { recursive: true, force: true });
  });
});

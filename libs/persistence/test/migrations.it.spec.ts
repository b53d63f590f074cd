import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestStack } from '@classroom/testing';
import { DataSource } from 'typeorm';
import { runMigrations } from '../src/index.js';

/** SQL files in a service's folder, applied in the same way as by its migration step. */
describe('migrations', () => {
  let stack: TestStack;
  let admin: DataSource;
  let folder: string;
  let count = 0;

  beforeAll(async () => {
    stack = await TestStack.parts(['postgres']);
    admin = await new DataSource({ type: 'postgres', url: stack.urls.postgresAdmin, installExtensions: false }).initialize();
  });

  afterAll(async () => {
    await admin?.destroy();
    await stack?.stop();
  });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'migrations-'));
    count += 1;
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (digits: number, sql: string) => writeFileSync(join(folder, `${1_763_700_000_000 + digits}-it.sql`), sql);
  const migrate = (schema = `thing${count}`) => {
    const url = new URL(stack.urls.postgresAdmin);
    url.username = `classroom_${schema}`;
    url.password = 'pw';
    return runMigrations({
      schema,
      directories: [folder],
      config: { DATABASE_URL: url.href, DATABASE_ADMIN_URL: stack.urls.postgresAdmin },
    });
  };
  const indexes = () =>
    admin.query<{ name: string; valid: boolean }[]>(
      `SELECT c.relname AS name, i.indisvalid AS valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relname LIKE 'things%' ORDER BY 1`,
      [`thing${count}`],
    );

  it('build an index while the table is written to, and start again if building it failed', async () => {
    write(1, 'CREATE TABLE things (n integer NOT NULL); INSERT INTO things VALUES (1), (1)');
    await migrate();
    write(2, '-- Which of them there is.\nCREATE UNIQUE INDEX CONCURRENTLY things_once ON things (n)');
    await expect(migrate()).rejects.toThrow(/could not create unique index/);
    expect(await indexes()).toEqual([{ name: 'things_once', valid: false }]);
    await admin.query(`DELETE FROM thing${count}.things`);
    expect(await migrate()).toEqual(['it_1763700000002']);
    expect(await indexes()).toEqual([{ name: 'things_once', valid: true }]);
    expect(await migrate()).toEqual([]);
  });

  it('of many services do not block each other if they start at the same time', async () => {
    const names = ['one', 'two', 'three', 'four'];
    write(1, 'CREATE TABLE things (n integer NOT NULL)');
    write(2, 'CREATE INDEX CONCURRENTLY things_n ON things (n)');
    const applied = await Promise.all(names.map((name) => migrate(`many_${name}`)));
    expect(applied).toEqual(names.map(() => ['it_1763700000001', 'it_1763700000002']));
  });

  it('roll back a file if one of its statements fails', async () => {
    write(1, 'CREATE TABLE things (n integer NOT NULL); SELECT 1 / 0');
    await expect(migrate()).rejects.toThrow(/division by zero/);
    write(1, 'CREATE TABLE things (n integer NOT NULL)');
    expect(await migrate()).toEqual(['it_1763700000001']);
  });

  it('refuse a schema that began with other files', async () => {
    write(1, 'CREATE TABLE things (n integer NOT NULL)');
    await migrate();
    rmSync(join(folder, '1763700000001-it.sql'));
    write(2, 'CREATE TABLE things (n integer NOT NULL)');
    await expect(migrate()).rejects.toThrow('was made by a release before 0.2.0');
  });
});

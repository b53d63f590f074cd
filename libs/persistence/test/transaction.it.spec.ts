import { eventually, TestStack } from '@classroom/testing';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { connect, Database, statements, type StatementTypes, type Transaction } from '../src/index.js';

jest.setTimeout(60_000);

interface Types extends StatementTypes {
  parameters: number[];
  row: Record<string, number>;
}
const sql = statements<Record<string, Types>>('public');
const add = sql('numbers.add', 'INSERT INTO numbers VALUES ($1)');
/** Locks the second number before the first. */
const moveBoth = sql(
  'numbers.moveBoth',
  `WITH second AS (UPDATE numbers SET n = n + $1 WHERE n = 2 RETURNING 1)
   UPDATE numbers SET n = n + $1 FROM second WHERE n = 1`,
);
const list = sql('numbers.list', 'SELECT n FROM numbers ORDER BY n');

describe('a transaction', () => {
  let stack: TestStack;
  let source: DataSource;
  let database: Database;
  beforeAll(async () => {
    stack = await TestStack.parts(['postgres']);
    await stack.rows('CREATE TABLE numbers (n int PRIMARY KEY)');
    source = await connect({ schema: 'public', url: stack.urls.postgresAdmin, poolSize: 1 });
    database = new Database(source);
  });
  beforeEach(() => stack.rows('TRUNCATE numbers'));
  afterAll(async () => {
    await source?.destroy();
    await stack?.stop();
  });

  const numbers = async () => (await database.run(list)).map(({ n }) => n);
  const waiting = () => stack.rows(`SELECT 1 FROM pg_stat_activity WHERE application_name = 'public' AND wait_event_type = 'Lock'`);
  const states = () => stack.rows(`SELECT state FROM pg_stat_activity WHERE application_name = 'public'`);

  it('begins with its first statement, so it holds nothing in Postgres before that', async () => {
    await database.transaction(async (tx) => {
      expect(await states()).toEqual([{ state: 'idle' }]);
      await tx.run(add, 1);
      expect(await states()).toEqual([{ state: 'idle in transaction' }]);
      expect(await stack.rows('SELECT n FROM numbers')).toEqual([]);
      await tx.run(add, 2);
    });
    expect(await numbers()).toEqual([1, 2]);
    await expect(database.transaction(() => Promise.resolve('nothing'))).resolves.toBe('nothing');
    await expect(database.transaction(() => Promise.reject(new Error('before any statement')))).rejects.toThrow('before any statement');
    expect(await states()).toEqual([{ state: 'idle' }]);
  });

  it('is rolled back whole when a statement fails, also its first, and leaves its connection usable', async () => {
    await database.run(add, 1);
    await expect(database.transaction((tx) => tx.run(add, 1))).rejects.toThrow('duplicate key');
    const late = database.transaction(async (tx) => {
      await tx.run(add, 2);
      await tx.run(add, 1);
    });
    await expect(late).rejects.toThrow('duplicate key');
    expect(await numbers()).toEqual([1]);
  });

  it('is run again if it was the victim of a deadlock, also if it is a single statement', async () => {
    const other = new Client({ connectionString: stack.urls.postgresAdmin });
    await other.connect();
    try {
      // The connection that waits longer than its own deadlock_timeout is the victim: never this one.
      await other.query(`SET deadlock_timeout = '1min'`);
      for (const run of [() => database.run(moveBoth, 10), () => database.transaction((tx) => tx.run(moveBoth, 10))]) {
        await stack.rows('TRUNCATE numbers');
        await stack.rows('INSERT INTO numbers VALUES (1), (2)');
        await other.query('BEGIN; UPDATE numbers SET n = n WHERE n = 1');
        const moved = run();
        await eventually(async () => expect(await waiting()).toHaveLength(1));
        await other.query('UPDATE numbers SET n = n WHERE n = 2');
        await other.query('COMMIT');
        await moved;
        expect(await numbers()).toEqual([11, 12]);
      }
    } finally {
      await other.end();
    }
  });

  it('fails if its work asks for a second connection, and not the work that it has only started', async () => {
    const second: ((tx: Transaction) => Promise<unknown>)[] = [
      () => database.run(list),
      () => database.first(list),
      async () => database.manager.query('SELECT 1'),
      () => database.transaction((tx) => tx.run(list)),
      (tx) => tx.run(add, 1).then(() => database.run(list)),
    ];
    for (const work of second) await expect(database.transaction(work)).rejects.toThrow('a second connection inside a transaction');
    expect(await numbers()).toEqual([]);
    const started = Promise.withResolvers<(number | undefined)[]>();
    await database.transaction(async (tx) => {
      await tx.run(add, 1);
      setTimeout(() => numbers().then(started.resolve, started.reject), 50);
      tx.afterCommit('also', () => void numbers().catch(started.reject));
    });
    await expect(started.promise).resolves.toEqual([1]);
    await expect(new Database(source, false).transaction(() => Promise.resolve(new Database(source).poolSize))).resolves.toBe(1);
  });

  it('contains statements that begin at the same time', async () => {
    const failing = database.transaction(async (tx) => {
      await Promise.all([tx.run(add, 1), tx.run(add, 2), tx.manager.query('INSERT INTO numbers VALUES (3)')]);
      expect((await tx.run(list)).map(({ n }) => n)).toEqual([1, 2, 3]);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await numbers()).toEqual([]);
  });
});

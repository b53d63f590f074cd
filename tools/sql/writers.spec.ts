import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { packages } from '../structure/sources.ts';
import { positionsOf, sessionStateIn, statementsOutsideRepositories, writersOf } from './writers.ts';

/** Exceptions: tables that one statement writes together with another table. A join or a creation waits for that statement. */
const IN_ONE_STATEMENT: Record<string, string[]> = {
  'apps/room': ['participants: participants/participants.repository.ts, rooms/rooms.repository.ts'],
};

const SERVICES = packages().filter(({ name }) => name.startsWith('apps/') || name === 'libs/messaging');

describe('the SQL of a package', () => {
  it.each(SERVICES)('is only in repositories: $name', ({ src }) => {
    expect(statementsOutsideRepositories(src).map((file) => relative(src, file))).toEqual([]);
  });

  it.each(SERVICES)('has one writer for each table: $name', ({ name, src }) => {
    const several = [...writersOf(src)].filter(([, files]) => files.size > 1);
    const found = several.map(([table, files]) => `${table}: ${[...files].map((file) => relative(src, file)).join(', ')}`);
    expect(found.toSorted()).toEqual(IN_ONE_STATEMENT[name] ?? []);
  });

  it.each(SERVICES)('takes at most six values by position, and more by name: $name', ({ src }) => {
    expect([...positionsOf(src)].filter(([, count]) => count > 6)).toEqual([]);
  });

  it('has its values by position counted in the types that `npm run generate -- sql` wrote', () => {
    const src = mkdtempSync(join(tmpdir(), 'sql-'));
    mkdirSync(join(src, 'schema'));
    const types = [
      "'a.x': { parameters: []; row: object }",
      "'a-b.y': {\n parameters: [SqlArray<SqlText>, SqlText];",
      "'c.z': { parameters: { sid: SqlText }; row: object }",
    ];
    writeFileSync(join(src, 'schema', 'sql.ts'), types.join(';\n'));
    expect([...positionsOf(src)]).toEqual([
      ['a.x', 0],
      ['a-b.y', 2],
    ]);
    rmSync(src, { recursive: true });
  });

  it.each(SERVICES)('keeps no state in the session, so it works behind a transaction pooler: $name', ({ src }) => {
    expect(sessionStateIn(src)).toEqual([]);
  });

  it.each([
    ['SELECT pg_try_advisory_lock(1)', 1],
    ['SELECT pg_advisory_xact_lock(1)', 0],
    ["SET statement_timeout = '1s'", 1],
    ["SET LOCAL statement_timeout = '1s'", 0],
    ['UPDATE rooms SET title = $1', 0],
    ['LISTEN facts', 1],
    ['CREATE TEMPORARY TABLE t (id int)', 1],
  ])('keeps state in the session or not: %s', (text, count) => {
    const src = mkdtempSync(join(tmpdir(), 'sql-'));
    writeFileSync(join(src, 'a.repository.ts'), `sql('a.x', \`${text}\`);\n`);
    expect(sessionStateIn(src)).toHaveLength(count);
    rmSync(src, { recursive: true });
  });

  it('is detected elsewhere, and so is a second writer', () => {
    const src = mkdtempSync(join(tmpdir(), 'sql-'));
    mkdirSync(join(src, 'schema'));
    writeFileSync(join(src, 'schema', 'room.entity.ts'), `@Entity('rooms')\nexport class RoomEntity {}\n`);
    writeFileSync(
      join(src, 'a.repository.ts'),
      "sql('a.x', `SELECT 1 FROM rooms FOR UPDATE SKIP LOCKED`);\nsql('a.y', 'UPDATE rooms SET n = 1');\n",
    );
    writeFileSync(join(src, 'b.repository.ts'), 'manager.insert(RoomEntity, row);\n// DELETE FROM things\n');
    writeFileSync(join(src, 'c.ts'), "database.run('DELETE FROM rooms');\n");
    expect(statementsOutsideRepositories(src).map((file) => relative(src, file))).toEqual(['c.ts']);
    expect([...writersOf(src)].map(([table, files]) => [table, [...files].map((file) => relative(src, file))])).toEqual([
      ['rooms', ['a.repository.ts', 'b.repository.ts']],
    ]);
    rmSync(src, { recursive: true });
  });
});

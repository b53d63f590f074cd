import { migrationProblems, statementsOf } from './migration-rules.ts';
import { editedMigrations, lastRelease, migrationFiles, migrationHashes, newMigrationProblems } from './released.ts';

const problemsOf = (sql: string, ...earlier: string[]) => migrationProblems(sql, { file: 'it.sql', earlier, version: '1.4.0' });

describe('the migrations', () => {
  test('that were released are unchanged', () => {
    expect(editedMigrations(lastRelease().migrations, migrationHashes())).toEqual([]);
  });

  test('that are new keep the last release working', () => {
    expect(newMigrationProblems(lastRelease())).toEqual([]);
  });

  test('are found, including those of libraries', () => {
    expect(migrationFiles()).toEqual(
      expect.arrayContaining([expect.stringMatching(/^apps\/room\/migrations\//), expect.stringMatching(/^libs\/messaging\/migrations\//)]),
    );
  });

  test('are reported if they are changed or removed', () => {
    expect(editedMigrations({ 'a.sql': '1', 'b.sql': '2', 'c.sql': '3' }, { 'a.sql': '1', 'b.sql': 'other', 'd.sql': '4' })).toEqual([
      expect.stringContaining('b.sql: was released and is another now'),
      expect.stringContaining('c.sql: was released and is gone'),
    ]);
  });

  test('that are not released are all checked', () => {
    const { migrations, version } = lastRelease();
    const { 'apps/billing/migrations/1795900000100-billing.sql': _, ...others } = migrations;
    expect(newMigrationProblems({ version, migrations: others })).toEqual([expect.stringContaining('DO')]);
  });
});

describe('a migration', () => {
  test.each([
    'CREATE TABLE a (b text NOT NULL UNIQUE, c text REFERENCES d); CREATE INDEX e ON a (b); ALTER TABLE a ADD COLUMN f text NOT NULL; ALTER TABLE a DROP COLUMN c',
    'ALTER TABLE a ADD COLUMN b text',
    'alter table a add b text',
    "ALTER TABLE a ADD COLUMN b numeric(12, 3) NOT NULL DEFAULT 0, ADD COLUMN IF NOT EXISTS c text NOT NULL DEFAULT 'x'",
    'ALTER TABLE a ADD COLUMN b timestamptz NOT NULL DEFAULT now()',
    'ALTER TABLE a ALTER COLUMN b SET DEFAULT 1, ALTER c DROP NOT NULL',
    'ALTER TABLE a ADD CONSTRAINT b CHECK (c > 0) NOT VALID',
    'ALTER TABLE a ADD CONSTRAINT b FOREIGN KEY (c) REFERENCES d (e, f) NOT VALID',
    'ALTER TABLE a VALIDATE CONSTRAINT b',
    "ALTER TABLE a DROP CONSTRAINT b, ADD CONSTRAINT b CHECK (c IN ('x', 'y')) NOT VALID",
    'ALTER TABLE a ADD CONSTRAINT b UNIQUE USING INDEX c',
    'ALTER TABLE a SET (fillfactor = 80)',
    'CREATE UNIQUE INDEX CONCURRENTLY b ON a (lower(c)) WHERE d IS NULL',
    '-- contract: 1.4.0\nDROP INDEX CONCURRENTLY b',
    "COMMENT ON TABLE a IS 'DROP TABLE b; ALTER TABLE a RENAME TO c'",
    '-- DROP TABLE a;\n/* ALTER TABLE a RENAME b TO c; */ SELECT 1',
    "CREATE FUNCTION f() RETURNS text LANGUAGE sql AS $$ SELECT 'a'; DROP TABLE b; $$",
    'CREATE OR REPLACE FUNCTION f() RETURNS text LANGUAGE sql AS $body$ TRUNCATE a; $body$',
    'INSERT INTO a SELECT 1',
    'CREATE FUNCTION f(a int) RETURNS void LANGUAGE sql AS $$ SELECT 1 $$; SELECT f(1); DROP FUNCTION f',
    'CREATE TABLE a (b date) PARTITION BY LIST (b); ALTER TABLE a ATTACH PARTITION c FOR VALUES IN (1)',
    'UPDATE a SET b = c WHERE d IN (SELECT d FROM a WHERE b IS NULL LIMIT 1000)',
    '-- contract: 1.4.0\nALTER TABLE a DROP COLUMN b',
    '-- contract: 1.3.9\nDROP TABLE a',
    "ALTER TYPE a ADD VALUE 'b'",
  ])('may: %s', (sql) => expect(problemsOf(sql)).toEqual([]));

  test.each([
    ['DROP TABLE a', 'still uses it'],
    ['DROP TABLE IF EXISTS a CASCADE', 'still uses it'],
    ['TRUNCATE a', 'still uses it'],
    ['DROP FUNCTION f', 'still uses it'],
    ['ALTER TABLE a DROP COLUMN b', 'still reads and writes it'],
    ['ALTER TABLE a DROP b', 'still reads and writes it'],
    ['alter table only a drop column if exists b', 'still reads and writes it'],
    ['ALTER TABLE a ADD COLUMN c text, DROP COLUMN b', 'still reads and writes it'],
    ['ALTER TABLE a DROP CONSTRAINT b', 'lean on it'],
    ['ALTER TABLE a ALTER COLUMN b DROP DEFAULT', 'may leave it out'],
    ['ALTER TABLE a RENAME TO b', 'old name only'],
    ['ALTER TABLE a RENAME COLUMN b TO c', 'old name only'],
    ['ALTER TABLE a RENAME b TO c', 'old name only'],
    ['ALTER TABLE a ALTER COLUMN b TYPE bigint', 'rewrites'],
    ['ALTER TABLE a ALTER b SET DATA TYPE bigint', 'rewrites'],
    ['ALTER TABLE a ALTER COLUMN b SET NOT NULL', 'scans the table'],
    ['ALTER TABLE a ADD COLUMN b text NOT NULL', 'give it a DEFAULT'],
    ['ALTER TABLE a ADD b text NOT NULL', 'give it a DEFAULT'],
    ['ALTER TABLE a ADD COLUMN b bigserial', 'rewrites'],
    ['ALTER TABLE a ADD COLUMN b uuid NOT NULL DEFAULT gen_random_uuid()', 'rewrites'],
    ['ALTER TABLE a ADD COLUMN b int GENERATED ALWAYS AS (c + 1) STORED', 'rewrites'],
    ['ALTER TABLE a ADD COLUMN b text UNIQUE', 'scans or locks'],
    ['ALTER TABLE a ADD COLUMN b text REFERENCES c', 'scans or locks'],
    ['ALTER TABLE a ADD COLUMN b text CHECK (b > 0)', 'scans or locks'],
    ['ALTER TABLE a ADD CONSTRAINT b CHECK (c > 0)', 'NOT VALID here'],
    ['ALTER TABLE a ADD CHECK (c > 0)', 'NOT VALID here'],
    ['ALTER TABLE a ADD CONSTRAINT b FOREIGN KEY (c) REFERENCES d', 'NOT VALID here'],
    ['ALTER TABLE a ADD FOREIGN KEY (c) REFERENCES d', 'NOT VALID here'],
    ['ALTER TABLE a ADD CONSTRAINT b UNIQUE (c)', 'under a lock'],
    ['ALTER TABLE a ADD PRIMARY KEY (c)', 'under a lock'],
    ['ALTER TABLE a ADD CONSTRAINT b EXCLUDE USING gist (c WITH =)', 'not known to be harmless'],
    ['ALTER TABLE a SET LOGGED', 'not known to be harmless'],
    ['ALTER TABLE a ADD CONSTRAINT b CHECK (c > 0) NOT VALID; ALTER TABLE a VALIDATE CONSTRAINT b', 'put it into the next file'],
    ['CREATE INDEX b ON a (c)', 'no process can write'],
    ['CREATE UNIQUE INDEX IF NOT EXISTS b ON a USING gin (c)', 'no process can write'],
    ['CREATE INDEX CONCURRENTLY b ON a (c); SELECT 1', 'file of its own'],
    ['DROP INDEX b', 'DROP INDEX CONCURRENTLY'],
    ['DROP INDEX CONCURRENTLY b', 'still uses it'],
    ['DROP INDEX CONCURRENTLY b; SELECT 1', 'file of its own'],
    ['UPDATE a SET b = c', 'in batches'],
    ['DELETE FROM a', 'in batches'],
    ['LOCK TABLE a', 'locks the table'],
    ['VACUUM FULL a', 'locks the table'],
    ['REINDEX TABLE a', 'locks the table'],
    ["ALTER TYPE a RENAME VALUE 'b' TO 'c'", 'not known to be harmless'],
    ['DO $$ BEGIN DROP TABLE a; END $$', 'not known to be harmless'],
    ['ALTER TABLE "a" RENAME TO "b"', 'old name only'],
    ["SELECT 'it''s'; DROP TABLE a", 'still uses it'],
    ['-- contract: 1.5.0\nDROP TABLE a', '1.5.0 is not out: the last release is 1.4.0'],
    ['-- contract: 1.4.0\nSELECT 1; DROP TABLE a', 'still uses it'],
    ['-- contract: 1.4.0\nALTER TABLE a RENAME TO b', 'old name only'],
    ['-- contract: soon\nDROP TABLE a', 'still uses it'],
  ])('may not: %s', (sql, why) => expect(problemsOf(sql)).toEqual([expect.stringContaining(why)]));

  const check = 'ALTER TABLE a ADD CONSTRAINT b_there CHECK (b IS NOT NULL) NOT VALID';
  const validated = 'ALTER TABLE a VALIDATE CONSTRAINT b_there';

  test('may set NOT NULL after an older file has validated the constraint', () => {
    expect(problemsOf('ALTER TABLE a ALTER COLUMN b SET NOT NULL', check, validated)).toEqual([]);
    expect(problemsOf('ALTER TABLE a ALTER COLUMN b SET NOT NULL', check)).toHaveLength(1);
    expect(problemsOf('ALTER TABLE a ALTER COLUMN c SET NOT NULL', check, validated)).toHaveLength(1);
  });
});

test('statements end where SQL ends them', () => {
  expect(statementsOf("SELECT 'a;b', $$;$$, $x$ $$;$x$, \"c;d\"; -- e;\n SELECT E'\\';' /* ; */ ;\n").map(({ text }) => text)).toEqual([
    "SELECT '', '', '', c;d",
    "SELECT ''",
  ]);
});

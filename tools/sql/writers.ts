import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourcesOf } from '../structure/folders.ts';
import { withoutComments } from '../structure/sources.ts';

/** The beginning of a statement in a string. */
const STATEMENT = /[`'"]\s*(?:WITH \w+ AS|SELECT\b|INSERT INTO|UPDATE \w+ |DELETE FROM|TRUNCATE )/g;
const WRITE = /\b(?:INSERT INTO|UPDATE|DELETE FROM|TRUNCATE)\s+([a-z_]+)\b/g;
const ENTITY_WRITE = /\.(?:insert|update|delete|upsert|save|remove|increment|decrement)\(\s*(\w+)Entity\b/g;
const ENTITY_TABLE = /@Entity\('(\w+)'\)\s*export class (\w+)Entity/g;
/** `ON CONFLICT … DO UPDATE SET` and `FOR UPDATE SKIP LOCKED` name no table. */
const NO_TABLE = new Set(['set', 'skip', 'of', 'nowait']);

/** What outlives a transaction in a Postgres session. A transaction pooler gives each transaction another session. */
const SESSION_STATE =
  /\bpg_(?:try_)?advisory_(?:un)?lock|\b(?:UN)?LISTEN [a-z_]|\bTEMP(?:ORARY)? TABLE\b|\bWITH HOLD\b|[`'"]\s*(?:SET|RESET|DISCARD|PREPARE) (?!LOCAL\b|TRANSACTION\b)/i;

const isRepository = (file: string) => file.endsWith('.repository.ts');

const statementsIn = (file: string): number => withoutComments(readFileSync(file, 'utf8')).match(STATEMENT)?.length ?? 0;

/** @returns the files that contain SQL but are not repositories */
export const statementsOutsideRepositories = (src: string): string[] =>
  sourcesOf(src).filter((file) => !isRepository(file) && statementsIn(file) > 0);

/** @returns the repositories with SQL that needs more than one transaction of the same session */
export const sessionStateIn = (src: string): string[] =>
  sourcesOf(src).filter((file) => isRepository(file) && SESSION_STATE.test(withoutComments(readFileSync(file, 'utf8'))));

/** A statement in a service's schema/sql.ts, and the types of the parameters that it takes by position. */
const BY_POSITION = /'([^']+)': \{\s*parameters: \[([^\]]*)\]/g;

/** @returns for each statement that takes its values by position, how many */
export function positionsOf(src: string): Map<string, number> {
  const generated = join(src, 'schema', 'sql.ts');
  const text = existsSync(generated) ? readFileSync(generated, 'utf8') : '';
  return new Map([...text.matchAll(BY_POSITION)].map(([, name = '', types = '']) => [name, types === '' ? 0 : types.split(',').length]));
}

/** @returns for each table, the files that write it by SQL or through its entity */
export function writersOf(src: string): Map<string, Set<string>> {
  const sources = sourcesOf(src).map((file) => ({ file, text: withoutComments(readFileSync(file, 'utf8')) }));
  const tables = new Map(
    sources.flatMap(({ text }) => [...text.matchAll(ENTITY_TABLE)].map(([, table = '', name = '']) => [name, table] as const)),
  );
  const writers = new Map<string, Set<string>>();
  for (const { file, text } of sources) {
    const written = [
      ...(isRepository(file) ? [...text.matchAll(WRITE)].map(([, table = '']) => table) : []),
      ...[...text.matchAll(ENTITY_WRITE)].map(([, name = '']) => tables.get(name) ?? name),
    ].filter((table) => !NO_TABLE.has(table));
    for (const table of written) writers.set(table, (writers.get(table) ?? new Set()).add(file));
  }
  return writers;
}

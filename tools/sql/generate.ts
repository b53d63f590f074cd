import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DeclaredStatement } from '@classroom/persistence';
import type { Client } from 'pg';
import { REPO } from '../stack/context.ts';
import { Catalog, type Column, describe, typeOf } from './catalog.ts';
import { entitiesOf, type Entity, generatedFile, type Schema, SCHEMAS, show, statementsOf, withTables } from './schemas.ts';

/** With an outer join, a column may be null although it is NOT NULL in its table. */
const OUTER_JOIN = /\b(?:LEFT|RIGHT|FULL)\s+(?:OUTER\s+)?JOIN\b/i;
const WIDTH = 160;
/** Postgres's name for an expression without an alias, such as the 1 of `SELECT 1`. */
const UNNAMED_COLUMN = '?column?';

class StatementTypes {
  readonly inputs = new Set<string>();

  private readonly catalog: Catalog;
  private readonly known: readonly Entity[];

  constructor(catalog: Catalog, known: readonly Entity[]) {
    this.catalog = catalog;
    this.known = known;
  }

  parameters(oids: readonly number[], names: readonly string[] | undefined): string {
    const types = oids.map((oid) => typeOf(this.catalog.typeName(oid)).input);
    for (const type of types) for (const [name] of type.matchAll(/Sql\w+/g)) this.inputs.add(name);
    return names ? `{ ${names.map((name, index) => `${name}: ${types[index]}`).join('; ')} }` : `[${types.join(', ')}]`;
  }

  row(text: string, columns: readonly Column[]): string {
    const isOuter = OUTER_JOIN.test(text);
    const picked = new Map<Entity, string[]>();
    const own: string[] = [];
    for (const column of columns.filter(({ name }) => name !== UNNAMED_COLUMN)) {
      const [, name = column.name, hint] = /^(.*?)([!?]?)$/.exec(column.name) ?? [];
      const source = this.catalog.columnOf(column);
      const entity = source && this.known.find(({ table }) => table === source.table);
      const property = entity?.columns.find((it) => it.column === source?.column)?.property;
      const isPlain = hint === '' && !isOuter;
      if (entity && property === name && isPlain) picked.set(entity, [...(picked.get(entity) ?? []), name]);
      else {
        const type = entity && property ? `${entity.name}['${property}']` : typeOf(this.catalog.typeName(column.oid)).output;
        const isNullable = hint === '?' || (hint === '' && (isOuter || !source || source.isNullable));
        own.push(
          `${name}: ${hint === '!' && source?.isNullable ? `NonNullable<${type}>` : type}${isNullable && type !== 'unknown' ? ' | null' : ''}`,
        );
      }
    }
    const parts = [...picked].map(([entity, names]) => (names.length === entity.columns.length ? entity.name : pick(entity, names)));
    if (own.length > 0) parts.push(`{ ${own.join('; ')} }`);
    return parts.join(' & ') || 'object';
  }
}

/** Pick or Omit, whichever is shorter. */
function pick(entity: Entity, names: readonly string[]): string {
  const union = (all: readonly string[]) => all.map((name) => `'${name}'`).join(' | ');
  const others = entity.columns.map(({ property }) => property).filter((property) => !names.includes(property));
  return others.length < names.length ? `Omit<${entity.name}, ${union(others)}>` : `Pick<${entity.name}, ${union(names)}>`;
}

const failed = ({ name, text }: DeclaredStatement, error: unknown) =>
  new Error(`${name}: ${error instanceof Error ? error.message : String(error)}\n${text}`, { cause: error });

/** @param client whose search path contains the schema's tables @returns the text of the schema's `sql.ts` */
export async function generate(schema: Schema, client: Client): Promise<string> {
  const entities = entitiesOf(schema);
  const types = new StatementTypes(await Catalog.read(client, schema.database), entities);
  const entries: string[] = [];
  for (const statement of statementsOf(schema)) {
    try {
      const { parameters, columns } = await describe(client, statement.text);
      const [given, row] = [types.parameters(parameters, statement.names), types.row(statement.text, columns)];
      const line = `  '${statement.name}': { parameters: ${given}; row: ${row} };`;
      entries.push(line.length <= WIDTH ? line : `  '${statement.name}': {\n    parameters: ${given};\n    row: ${row};\n  };`);
    } catch (error) {
      throw failed(statement, error);
    }
  }
  const inputs = [...types.inputs]
    .sort()
    .map((name) => `, type ${name}`)
    .join('');
  const imports = entities.map(({ name, file }) => `import { ${name} } from './${file}.js';`);
  return [
    '// Written by `npm run generate -- sql` from the statements and the tables: do not edit.',
    `import { statements${inputs} } from '@classroom/persistence/sql';`,
    ...imports,
    '',
    '/** Parameters and rows as Postgres describes them. */',
    'interface Statements {',
    ...entries,
    '}',
    '',
    `export const sql = statements<Statements>('${schema.name}');`,
    ...(entities.length > 0 ? [`export const entities = [${entities.map(({ name }) => name).join(', ')}];`] : []),
    '',
  ].join('\n');
}

/**
 * Builds the package, because statements are read from the built code. A new package has no types yet: the compiler reports errors, but still emits.
 */
function build(schema: Schema): void {
  const file = generatedFile(schema);
  if (!existsSync(file)) {
    const open = "import { statements, type StatementTypes } from '@classroom/persistence/sql';\n\n";
    writeFileSync(
      file,
      `${open}export const sql = statements<Record<string, StatementTypes>>('${schema.name}');\nexport const entities = [];\n`,
    );
  }
  spawnSync(join(REPO, 'node_modules', '.bin', 'tsc'), ['-p', join(schema.folder, 'tsconfig.build.json')], { stdio: 'ignore' });
}

/** Writes the types of the statements of services, as a real Postgres describes them. @param services default: all */
export async function writeSqlTypes(services: string[]): Promise<void> {
  const asked = SCHEMAS.filter(({ name }) => services.length === 0 || services.includes(name));
  for (const schema of asked) build(schema);
  await withTables(async (connect) => {
    for (const schema of asked) {
      const file = generatedFile(schema);
      writeFileSync(file, await generate(schema, await connect(schema.database)));
      process.stdout.write(`${show(file)}\n`);
    }
  });
}

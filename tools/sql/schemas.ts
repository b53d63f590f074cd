import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import type { DeclaredStatement } from '@classroom/persistence';
import type { Client } from 'pg';
import { APP_NAMES, APPS } from '../stack/apps.ts';
import { REPO } from '../stack/context.ts';
import { migrate, pickPorts, startParts } from '../stack/index.ts';

export interface EntityColumn {
  property: string;
  column: string;
  type: string;
  isNullable: boolean;
  isArray: boolean;
  isKey: boolean;
}

export interface Entity {
  /** Name of the class. */
  name: string;
  /** Name of the module, without extension. */
  file: string;
  table: string;
  columns: EntityColumn[];
}

/** A package with statements and entities, and the Postgres schema that they use. */
export interface Schema {
  name: string;
  /** Folder of the package. */
  folder: string;
  /** Postgres schema whose tables the package uses. */
  database: string;
}

/** Every service's schema contains tables of messaging; the room's schema contains all of them. */
export const SCHEMAS: Schema[] = [
  ...APPS.filter(({ schema }) => schema).map(({ name }) => ({ name, folder: join(REPO, 'apps', name), database: name })),
  { name: 'messaging', folder: join(REPO, 'libs', 'messaging'), database: 'room' },
];

export const generatedFile = ({ folder }: Schema) => join(folder, 'src', 'schema', 'sql.ts');
export const repositoriesOf = ({ folder }: Schema) => globSync(join(folder, 'src', '**', '*.repository.ts')).sort();

const load = createRequire(import.meta.url);
/** The instance of the persistence library that the service itself loads. */
const persistenceOf = ({ folder }: Schema) =>
  createRequire(join(folder, 'package.json'))('@classroom/persistence') as typeof import('@classroom/persistence');
const built = (source: string) => source.replace('/src/', '/dist/').replace(/\.ts$/, '.js');

/** Loaded from the built code. */
export function statementsOf(schema: Schema): DeclaredStatement[] {
  const persistence = persistenceOf(schema);
  for (const file of repositoriesOf(schema)) load(built(file));
  const own = persistence.declaredStatements().filter((statement) => statement.schema === schema.name);
  return own.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Loaded from the built code. */
export function entitiesOf(schema: Schema): Entity[] {
  const { toSnakeCase } = persistenceOf(schema);
  const typeorm = createRequire(join(REPO, 'libs/persistence/package.json'))('typeorm') as typeof import('typeorm');
  const storage = typeorm.getMetadataArgsStorage();
  return globSync(join(schema.folder, 'src', 'schema', '*.entity.ts'))
    .sort()
    .flatMap((file) =>
      Object.values(load(built(file)) as object).flatMap((target) => {
        const table = storage.tables.find((it) => it.target === target);
        if (!table) return [];
        const columns = storage.filterColumns(target as () => void).map(({ propertyName, options }) => ({
          property: propertyName,
          column: options.name ?? toSnakeCase(propertyName),
          type: String(options.type),
          isNullable: options.nullable === true,
          isArray: options.array === true,
          isKey: options.primary === true,
        }));
        return [{ name: (target as { name: string }).name, file: basename(file, '.ts'), table: table.name ?? '', columns }];
      }),
    );
}

export const show = (file: string) => relative(REPO, file);

/** Runs `work` with a real Postgres that has the tables of all services. `url` connects as the database administrator. */
export async function withTables<T>(work: (connect: (schema: string) => Promise<Client>, url: string) => Promise<T>): Promise<T> {
  const { Client: PgClient } = createRequire(join(REPO, 'libs/persistence/package.json'))('pg') as typeof import('pg');
  const home = mkdtempSync(join(tmpdir(), 'classroom-sql-'));
  const stack = await startParts({ home, parts: ['postgres', 'nats'], external: false, ...(await pickPorts()) });
  const clients: Client[] = [];
  try {
    await migrate(stack, APP_NAMES);
    return await work(async (schema) => {
      const client = new PgClient({ connectionString: stack.urls.postgresAdmin, options: `-c search_path=${schema}` });
      await client.connect();
      clients.push(client);
      return client;
    }, stack.urls.postgresAdmin);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
    await stack.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { z, ZodObject, ZodType } from 'zod';
import { REPO } from '../stack/context.ts';
import { compareSection } from './section.ts';

const require = createRequire(import.meta.url);
/** Schemas that several apps share. The page has one section for each. */
const SHARED = [
  { title: 'Every app', file: 'libs/platform/dist/config.js', schema: 'baseConfig' },
  { title: 'Apps that open addresses of others', file: 'libs/platform/dist/net/outbound.js', schema: 'outboundConfig' },
  { title: 'Apps with a schema in Postgres', file: 'libs/persistence/dist/persistence.module.js', schema: 'persistenceConfig' },
  { title: 'Apps with a public port', file: 'libs/http/dist/connection-limits.js', schema: 'connectionsConfig' },
  { title: 'Apps that use the object storage', file: 'libs/storage/dist/config.js', schema: 'storageConfig' },
];
const MIGRATIONS = { title: 'Migrations', file: 'libs/persistence/dist/migrate.js', schema: 'migrationConfig' };

/** Schema by variable. */
type Shape = Record<string, ZodType>;

const load = (file: string): unknown => require(path.join(REPO, file));
const shapeIn = (file: string, schema: string): Shape => (load(file) as Record<string, ZodObject>)[schema]?.shape ?? {};

/** The schema that readConfig of an app's config.js passes to loadConfig. */
function shapeOf(app: string): Shape {
  const platform = load('libs/platform/dist/config.js') as { loadConfig: (schema: ZodObject) => unknown };
  const { loadConfig } = platform;
  platform.loadConfig = (schema) => schema;
  try {
    return (load(`apps/${app}/dist/config.js`) as { readConfig: () => ZodObject }).readConfig().shape;
  } finally {
    platform.loadConfig = loadConfig;
  }
}

/** The comment above each variable, by variable. The compiler keeps these comments. */
function commentsOf(file: string): Record<string, string> {
  const text = fs.readFileSync(path.join(REPO, file), 'utf8');
  const found = text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+([A-Z][A-Z0-9_]+):/g);
  return Object.fromEntries(
    [...found].map(([, comment = '', name = '']) => [
      name,
      comment
        .replace(/^\s*\*/gm, '')
        .replace(/\s+/g, ' ')
        .trim(),
    ]),
  );
}

/** @param schema of one variable */
function describe(schema: ZodType): { type: string; fallback: string } {
  const { toJSONSchema } = require(require.resolve('zod', { paths: [path.join(REPO, 'libs/platform')] })) as typeof z;
  const as = (io: 'output' | 'input') => toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;
  const [read, written] = [as('output'), as('input')];
  const isRequired = !schema.safeParse(undefined).success;
  const fallback = written.default ?? read.default;
  return {
    type: typeOf(read.type === 'boolean' ? read : written),
    fallback: isRequired ? 'required' : (fallback ?? '') === '' ? '' : `\`${fallback}\``,
  };
}

/** The JSON Schema of one variable. */
interface JsonSchema {
  enum?: string[];
  type?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  default?: unknown;
}

function typeOf({ enum: choices, type, format, minimum, maximum, minLength = 0 }: JsonSchema): string {
  if (choices) return choices.map((it) => `\`${it}\``).join(', ');
  if (type === 'boolean') return '`true`, `false`';
  if (type === 'integer' || type === 'number') {
    const kind = type === 'integer' ? 'whole number' : 'number';
    const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
    if (isBounded) return `${kind}, ${minimum} to ${maximum}`;
    return minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? kind : `${kind}, at least ${minimum}`;
  }
  if (format === 'uri') return 'URL';
  return minLength > 1 ? `text, at least ${minLength} characters` : 'text';
}

/** @param file that contains the comments of the variables */
function table(shape: Shape, file: string): string {
  const comments = commentsOf(file);
  const rows = Object.entries(shape).map(([name, schema]) => {
    const { type, fallback } = describe(schema);
    return `| \`${name}\` | ${type} | ${fallback} | ${(comments[name] ?? '').replaceAll('|', '\\|')} |`;
  });
  return ['| variable | value | default | |', '|---|---|---|---|', ...rows].join('\n');
}

/** @returns one section for each shared schema, then one per app with the variables that only this app reads */
export function variables(): string {
  const shared = SHARED.map((it) => ({ ...it, shape: shapeIn(it.file, it.schema) }));
  const sections = shared.map(({ title, shape, file }) => `## ${title}\n\n${table(shape, file)}`);
  const apps = fs.readdirSync(path.join(REPO, 'apps')).filter((app) => fs.existsSync(path.join(REPO, 'apps', app, 'src/config.ts')));
  for (const app of apps) {
    const all = shapeOf(app);
    const also = shared.filter(({ shape }) => Object.keys(shape).every((name) => name in all));
    const own = Object.fromEntries(Object.entries(all).filter(([name]) => !also.some(({ shape }) => name in shape)));
    const links = also
      .map(({ title }) => `[${title[0]?.toLowerCase()}${title.slice(1)}](#${title.toLowerCase().replaceAll(' ', '-')})`)
      .join(', ');
    const none = Object.keys(own).length === 0;
    sections.push(
      `## ${app}\n\n${none ? 'Reads only the variables of' : 'In addition to the variables of'} ${links}${none ? '.' : `:\n\n${table(own, `apps/${app}/dist/config.js`)}`}`,
    );
  }
  const { title, file, schema } = MIGRATIONS;
  sections.push(`## ${title}\n\n\`node dist/migrate.js\` of each app with a schema:\n\n${table(shapeIn(file, schema), file)}`);
  return `${sections.join('\n\n')}\n`;
}

if (import.meta.main) compareSection('docs/configuration.md', 'variables', variables());

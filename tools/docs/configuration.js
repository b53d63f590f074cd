'use strict';

const fs = require('node:fs');
const path = require('node:path');

const REPO = path.resolve(__dirname, '..', '..');
const PAGE = path.join(REPO, 'docs', 'configuration.md');
const BEGIN = '<!-- variables: written by tools/docs/configuration.js -->\n';
const END = '<!-- /variables -->';
/** What several apps read, and stands in the page once. */
const SHARED = [
  { title: 'Every app', file: 'libs/platform/dist/config.js', schema: 'baseConfig' },
  { title: 'Apps that open addresses of others', file: 'libs/platform/dist/net/outbound.js', schema: 'outboundConfig' },
  { title: 'Apps with a schema in Postgres', file: 'libs/persistence/dist/persistence.module.js', schema: 'persistenceConfig' },
  { title: 'Apps that use the object storage', file: 'libs/storage/dist/config.js', schema: 'storageConfig' },
];
const MIGRATIONS = { title: 'Migrations', file: 'libs/persistence/dist/migrate.js', schema: 'migrationConfig' };

/** @typedef {Record<string, any>} Shape name → zod schema */

/** The schema of an app's config.js, as its readConfig hands it to loadConfig. @param {string} app @returns {Shape} */
function shapeOf(app) {
  const platform = require(path.join(REPO, 'libs/platform/dist/config.js'));
  const { loadConfig } = platform;
  platform.loadConfig = (/** @type {any} */ schema) => schema;
  try {
    return require(path.join(REPO, 'apps', app, 'dist', 'config.js')).readConfig().shape;
  } finally {
    platform.loadConfig = loadConfig;
  }
}

/** The comment in the lines above each variable; the compiler keeps it. @param {string} file @returns {Record<string, string>} */
function commentsOf(file) {
  const text = fs.readFileSync(path.join(REPO, file), 'utf8');
  const found = text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+([A-Z][A-Z0-9_]+):/g);
  return Object.fromEntries([...found].map(([, comment, name]) => [name, comment.replace(/^\s*\*/gm, '').replace(/\s+/g, ' ').trim()]));
}

/** @param {any} schema of one variable @returns {{ type: string, fallback: string }} */
function describe(schema) {
  const { z } = require(require.resolve('zod', { paths: [path.join(REPO, 'libs/platform')] }));
  const [read, written] = ['output', 'input'].map((io) => z.toJSONSchema(schema, { io, unrepresentable: 'any' }));
  const isRequired = !schema.safeParse(undefined).success;
  const fallback = written.default ?? read.default;
  return { type: typeOf(read.type === 'boolean' ? read : written), fallback: isRequired ? 'required' : (fallback ?? '') === '' ? '' : `\`${fallback}\`` };
}

/** @param {any} json a JSON schema @returns {string} */
function typeOf({ enum: choices, type, format, minimum, maximum, minLength }) {
  if (choices) return choices.map((/** @type {string} */ it) => `\`${it}\``).join(', ');
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

/** @param {Shape} shape @param {string} file where its comments stand @returns {string} */
function table(shape, file) {
  const comments = commentsOf(file);
  const rows = Object.entries(shape).map(([name, schema]) => {
    const { type, fallback } = describe(schema);
    return `| \`${name}\` | ${type} | ${fallback} | ${(comments[name] ?? '').replaceAll('|', '\\|')} |`;
  });
  return ['| variable | value | default | |', '|---|---|---|---|', ...rows].join('\n');
}

/** @returns {string} a section for what is shared, then one an app for what it alone reads */
function variables() {
  const shared = SHARED.map((it) => ({ ...it, shape: /** @type {Shape} */ (require(path.join(REPO, it.file))[it.schema].shape) }));
  const sections = shared.map(({ title, shape, file }) => `## ${title}\n\n${table(shape, file)}`);
  const apps = fs.readdirSync(path.join(REPO, 'apps')).filter((app) => fs.existsSync(path.join(REPO, 'apps', app, 'src/config.ts')));
  for (const app of apps) {
    const all = shapeOf(app);
    const also = shared.filter(({ shape }) => Object.keys(shape).every((name) => name in all));
    const own = Object.fromEntries(Object.entries(all).filter(([name]) => !also.some(({ shape }) => name in shape)));
    const links = also.map(({ title }) => `[${title[0]?.toLowerCase()}${title.slice(1)}](#${title.toLowerCase().replaceAll(' ', '-')})`).join(', ');
    const none = Object.keys(own).length === 0;
    sections.push(`## ${app}\n\n${none ? 'Nothing but' : 'Beside'} what is read by ${links}${none ? '.' : `:\n\n${table(own, `apps/${app}/dist/config.js`)}`}`);
  }
  const { title, file, schema } = MIGRATIONS;
  sections.push(`## ${title}\n\n\`node dist/migrate.js\` of each app with a schema:\n\n${table(require(path.join(REPO, file))[schema].shape, file)}`);
  return `${sections.join('\n\n')}\n`;
}

if (require.main === module) {
  const had = fs.readFileSync(PAGE, 'utf8');
  const made = had.slice(0, had.indexOf(BEGIN) + BEGIN.length) + variables() + had.slice(had.indexOf(END));
  if (process.argv.includes('--write')) fs.writeFileSync(PAGE, made);
  else if (made !== had) {
    process.stderr.write("docs/configuration.md is not what the apps' config.ts say: node tools/docs/configuration.js --write\n");
    process.exitCode = 1;
  }
}

module.exports = { variables };

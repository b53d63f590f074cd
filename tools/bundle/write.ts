import fs from 'node:fs';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { rolldown, type Plugin } from 'rolldown';
import { exportLazily, importLazily } from './lazy.ts';
import { shortenPackages } from './shorten.ts';

/**
 * Packages that stay in node_modules: telemetry patches ioredis when it is required, and the others read files of their own package.
 * Packages with native code stay there too.
 */
const UNBUNDLED = new Set(['ioredis', 'playwright-core', '@scalar/fastify-api-reference']);
const ENTRY = '\0entry';

/**
 * Modules that a package requires and no app needs: other databases of TypeORM and BullMQ, other languages of zod, telemetry that is
 * configured by a file, and the caller of pino, for which V8 indexes the whole bundle.
 */
const UNUSED = new RegExp(
  `/node_modules/(${[
    'typeorm/driver/(?!postgres/)[^/]+/',
    'bullmq/dist/cjs/postgres/',
    'zod/v4/locales/(?!en\\.|index\\.)',
    '@opentelemetry/sdk-node/dist/start\\.',
    'pino/lib/caller\\.',
  ].join('|')})`,
);
/** Modules that pass on all exports of other modules. An app uses a few of them. */
const INDEX = /\/(libs\/[^/]+\/dist|node_modules\/typeorm)\/index\.js$/;

/** An entry that requires files in their order: telemetry comes before any other module. */
const entry = (files: string[]): Plugin => ({
  name: 'entry',
  resolveId: (id) => (id === ENTRY ? id : undefined),
  load: (id) => (id === ENTRY ? files.map((file) => `require(${JSON.stringify(file)});`).join('\n') : undefined),
});

/** Packages that are not installed are required at run time: Nest and TypeORM try drivers that we do not use. */
const unbundled: Plugin = {
  name: 'unbundled',
  async resolveId(id, importer, { kind }) {
    if (id === ENTRY || id.startsWith('.') || id.startsWith('#') || path.isAbsolute(id)) return undefined;
    const found = UNBUNDLED.has(id) ? undefined : await this.resolve(id, importer, { skipSelf: true, kind });
    return found && !found.id.endsWith('.node') ? found : { id, external: true };
  },
};

/** Stands a function without effect in for each unused module. */
const unused: Plugin = {
  name: 'unused',
  load: (id) => (UNUSED.test(id) ? 'module.exports = () => undefined;' : undefined),
};

const lazy: Plugin = {
  name: 'lazy',
  transform: (code, id) => importLazily(INDEX.test(id) ? exportLazily(code, id) : code, id),
};

/** @nestjs/typeorm creates a `require` of its own, which a bundler does not follow: TypeORM would be loaded twice. */
const createdRequire: Plugin = {
  name: 'created-require',
  transform: (code, id) => (id.includes('/@nestjs/') ? code.replace('const require = createRequire(import.meta.url);', '') : undefined),
};

/** The functions that run while an app loads are compiled by loading it: without a configuration it then ends. */
const COMPILE = `
  const [file, compiled, id] = process.argv.slice(1);
  process.once('exit', () => require('node:fs').writeFileSync(compiled, Buffer.concat([require(file).createCachedData(), Buffer.from(id)])));
  require(file);`;
const NO_CONFIGURATION = 'The configuration is not usable';

/**
 * Writes `dist/bundle.js`: telemetry, the app and their packages in one file, which Node loads in a third of the time of 1,900 files; its compiled
 * code, `dist/bundle.cache`; and `dist/app.js`, which runs them. A comment above each module names its file.
 * @param app folder of an app that is compiled, like its libraries
 */
async function bundle(app: string): Promise<void> {
  const telemetry = path.join(app, '..', '..', 'libs', 'platform', 'dist', 'telemetry', 'register.js');
  const build = await rolldown({
    input: { app: ENTRY },
    cwd: app,
    platform: 'node',
    plugins: [entry([telemetry, path.join(app, 'dist', 'main.js')]), unused, lazy, unbundled, createdRequire],
  });
  const { output } = await build.generate({
    format: 'cjs',
    codeSplitting: false,
    // A script that is compiled in advance has no `import()`.
    dynamicImportInCjs: false,
    keepNames: true,
    comments: false,
    // V8 keeps the source, with two bytes for each character if one of them is not Latin-1.
    charset: 'ascii',
  });
  await build.close();
  write(path.join(app, 'dist'), shortenPackages(output[0].code));
}

function write(folder: string, code: string): void {
  const file = (name: string) => path.join(folder, name);
  const id = `(function (exports, require, module, __filename, __dirname) { // ${createHash('sha256').update(code).digest('hex')}`;
  fs.rmSync(file('bundle.cache'), { force: true });
  fs.writeFileSync(file('bundle.js'), `${id}\n${code}\n})`);
  fs.copyFileSync(path.join(import.meta.dirname, 'app.cjs'), file('app.js'));
  const { stderr } = spawnSync(process.execPath, ['-e', COMPILE, file('app.js'), file('bundle.cache'), id], { env: {}, encoding: 'utf8' });
  if (!stderr.includes(NO_CONFIGURATION)) throw new Error(`${file('bundle.js')} cannot be loaded:\n${stderr}`);
}

if (import.meta.main) await bundle(process.cwd());

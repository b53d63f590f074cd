import fs from 'node:fs';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { rolldown, type LogLevel, type RolldownLog } from 'rolldown';

/** Packages that stay in node_modules: telemetry patches ioredis when it is required, and the others read files of their own package. */
const UNBUNDLED = ['ioredis', 'playwright-core', '@scalar/fastify-api-reference'];
/** Packages that are required and that no app uses: telemetry is configured by variables, not by a file. */
const UNUSED = { '@opentelemetry/configuration': false } as const;

/** Nest, TypeORM and BullMQ try packages that are not installed. These stay requires; one that an app needs fails when the build loads the app. */
const onLog = (level: LogLevel, { code, message }: RolldownLog) => {
  if (code !== 'UNRESOLVED_IMPORT') throw new Error(`${level}: ${message}`);
};

/** The functions that run while an app loads are compiled by loading it: without a configuration it then ends. */
const COMPILE = `
  const [file, compiled, id] = process.argv.slice(1);
  process.once('exit', () => require('node:fs').writeFileSync(compiled, Buffer.concat([require(file).createCachedData(), Buffer.from(id)])));
  require(file);`;
const NO_CONFIGURATION = 'The configuration is not usable';

/**
 * Writes `dist/bundle.js`: the app and its packages in one file, which Node loads in a third of the time of 1,900 files; its compiled code,
 * `dist/bundle.cache`; and `dist/app.js`, which runs them. A comment above each module names its file.
 * @param app folder of an app that is compiled, like its libraries
 */
async function bundle(app: string): Promise<void> {
  const build = await rolldown({
    input: path.join(app, 'dist', 'main.js'),
    cwd: app,
    platform: 'node',
    external: UNBUNDLED,
    resolve: { alias: UNUSED },
    onLog,
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
  write(path.join(app, 'dist'), output[0].code);
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

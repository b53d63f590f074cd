import path from 'node:path';
import { rolldown, type Plugin } from 'rolldown';

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
/** Packages whose requirements are loaded when they are used: telemetry requires the exporters of all protocols. */
const LAZY = /\/node_modules\/@opentelemetry\/sdk-node\//;

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

/** Replaces each variable that holds a required module by the call of `require`. */
const lazy: Plugin = {
  name: 'lazy',
  transform(code, id) {
    if (!LAZY.test(id)) return undefined;
    const required = [...code.matchAll(/^let (\w+) = (require\("[^"]+"\));$/gm)];
    return required.reduce(
      (done, [line, name, call]) => done.replace(line, '').replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `(${call})`),
      code,
    );
  },
};

/** @nestjs/typeorm creates a `require` of its own, which a bundler does not follow: TypeORM would be loaded twice. */
const createdRequire: Plugin = {
  name: 'created-require',
  transform: (code, id) => (id.includes('/@nestjs/') ? code.replace('const require = createRequire(import.meta.url);', '') : undefined),
};

/**
 * Writes `dist/app.js`: telemetry, the app and their packages in one file, which Node loads in a third of the time of 1,900 files. A
 * comment above each module names its file.
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
  await build.write({
    file: path.join(app, 'dist', 'app.js'),
    format: 'cjs',
    codeSplitting: false,
    keepNames: true,
    comments: false,
    // V8 keeps the source, with two bytes for each character if one of them is not Latin-1.
    charset: 'ascii',
  });
  await build.close();
}

if (import.meta.main) await bundle(process.cwd());

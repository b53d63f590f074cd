import fs from 'node:fs';
import path from 'node:path';
import { Engine } from '../containers/engine.ts';
import { APP_IMAGES, build, buildAddons, partImages, type Source } from '../containers/images.ts';
import { NODE, obtainRequirements, TEST_PROGRAMS } from '../containers/requirements.ts';
import { ADDONS, obtainHelm, obtainKubernetes } from '../obtain.ts';
import { commitOf, unpack } from '../release/obtain-release.ts';
import { command, REPO, stackCache, StackError } from '../stack/context.ts';
import { Progress } from '../stack/progress.ts';
import { nodeBinary } from '../stack/toolchain.ts';
import { runCommand } from '../test/jest-run.ts';
import { ClusterNode } from './node.ts';

/** Tags of the same images: what is installed, and what it is upgraded to. */
const TAGS = ['local', 'next'];

interface Loading {
  node: ClusterNode;
  cache: string;
  components: string;
  progress: Progress;
  tags: string[];
}

/** The files of a commit, unpacked. @throws {StackError} if this clone does not have it */
async function obtainEarlier(cache: string, revision: string): Promise<Source> {
  const commit = await commitOf(revision);
  if (!commit) throw new StackError(`This clone has no commit ${revision}: fetch it (git fetch --unshallow, or git fetch --tags).`);
  const folder = path.join(cache, 'earlier', commit);
  await unpack(commit, folder, path.join(cache, 'logs', 'earlier.log'));
  return { folder, commit, tag: 'earlier' };
}

/** Loads the images that the node does not have yet, or that were built since. */
async function loadImages({ node, cache, components, progress, tags }: Loading): Promise<void> {
  const engine = new Engine(path.join(cache, 'containers'));
  await engine.start();
  try {
    await buildAddons({ engine, progress, cache, logs: path.join(cache, 'logs') }, ADDONS, components);
    for (const app of APP_IMAGES) await engine.ask('tag', `virtual-classroom/${app}:local`, `virtual-classroom/${app}:next`);
    const apps = APP_IMAGES.flatMap((app) => tags.map((tag) => `virtual-classroom/${app}:${tag}`));
    const names = [...apps, ...partImages().map(([, image]) => image), ...ADDONS.map((name) => `localhost/${name}:1`)];
    const ids = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await engine.ask('image', 'inspect', '--format', '{{.Id}}', name)])),
    );
    const file = path.join(node.folder, 'containerd', 'loaded.json');
    const loaded = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, string>) : {};
    const missing = names.filter((name) => ids[name] !== loaded[name]);
    if (missing.length === 0) return;
    const archive = path.join(cache, 'images.tar');
    try {
      await engine.docker(['save', '--output', archive, ...missing], { what: 'docker save' });
      await node.load(archive);
    } finally {
      fs.rmSync(archive, { force: true });
    }
    fs.writeFileSync(file, JSON.stringify(ids));
  } finally {
    await engine.stop();
  }
}

/**
 * Builds the images and Kubernetes, starts a node, and tests the chart on it.
 * @param args `--no-build` uses the apps’ images of the last run; `--keep` leaves the node running; `--from <commit or tag>` installs that version
 * first and upgrades it; the others are for jest
 */
async function main(args: string[]): Promise<void> {
  const cache = stackCache();
  const progress = new Progress();
  const at = args.indexOf('--from');
  const [, revision = ''] = at < 0 ? [] : args.splice(at, 2);
  await obtainRequirements({ packages: NODE, programs: TEST_PROGRAMS, cache, progress });
  const from = at < 0 ? undefined : await obtainEarlier(cache, revision);
  await build({ cache, progress, withApps: !args.includes('--no-build'), ...(from && { from }) });
  const components = await progress.step('kubernetes', () => obtainKubernetes());
  const helm = await progress.step('helm', () => obtainHelm());
  const node = new ClusterNode(path.join(cache, 'cluster'), components);
  try {
    await progress.step('node', () => node.start());
    await progress.step('images', () => loadImages({ node, cache, components, progress, tags: from ? [...TAGS, from.tag] : TAGS }));
    node.enforcePolicies();
    const more = args.filter((arg) => !['--no-build', '--keep'].includes(arg));
    const [file, all] = node.enter(nodeBinary(), [path.join(REPO, 'tools', 'test', 'run-project.ts'), 'cluster', ...more]);
    const env = {
      KUBECONFIG: node.kubeconfig,
      KUBECTL_PROGRAM: path.join(components, 'kubectl'),
      HELM_PROGRAM: helm,
      ...(from && { EARLIER_VERSION: from.folder }),
    };
    process.exitCode = (await runCommand(file, all, { env })) === 0 ? 0 : 1;
  } finally {
    if (!args.includes('--keep')) await node.stop();
  }
}

void command(main(process.argv.slice(2)));

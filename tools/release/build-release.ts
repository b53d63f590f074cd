// npm run release: builds what a release consists of into a folder, from which it can be pushed to any registry.
import { execFileSync } from 'node:child_process';
import { createPrivateKey, sign } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Engine } from '../containers/engine.ts';
import { APP_IMAGES, build } from '../containers/images.ts';
import { ENGINE, obtainRequirements } from '../containers/requirements.ts';
import { obtainHelm } from '../obtain.ts';
import { command, REPO, stackCache, StackError } from '../stack/context.ts';
import { Progress } from '../stack/progress.ts';
import { ask, run } from '../stack/run.ts';
import { nodeBinary, NX, toolEnvironment } from '../stack/toolchain.ts';
import { checkVersions, packPackages, packPythonSources } from './packages.ts';

const SUMS = 'SHA256SUMS';

/** @returns the version of the root package.json @throws {StackError} if the tree is not that of a release */
async function readVersion(): Promise<string> {
  const { version } = JSON.parse(fs.readFileSync(path.join(REPO, 'package.json'), 'utf8')) as { version: string };
  if (await ask('git', ['-C', REPO, 'status', '--porcelain']))
    throw new StackError('The working tree has changes: commit them, or clone the tag.');
  if (!fs.readFileSync(path.join(REPO, 'CHANGELOG.md'), 'utf8').includes(`\n## ${version} `))
    throw new StackError(`CHANGELOG.md has no section “## ${version} <date>”: rename “Unreleased”.`);
  const tag = await ask('git', ['-C', REPO, 'describe', '--tags', '--exact-match']);
  if (tag !== `v${version}`) throw new StackError(`The commit has no tag v${version}: git tag --sign v${version}.`);
  const chart = fs.readFileSync(path.join(REPO, 'deploy', 'helm', 'virtual-classroom', 'Chart.yaml'), 'utf8');
  if (!chart.includes(`\nappVersion: "${version}"`) && !chart.includes(`\nappVersion: ${version}`))
    throw new StackError(`Chart.yaml has another appVersion than ${version}.`);
  checkVersions(version);
  return version;
}

/** The files below a folder, relative to it, in order. */
const filesIn = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();

/** Writes the sums of all files, and their signature if there is a key. @param key file with an Ed25519 key in PEM */
export function writeSums(folder: string, key?: string): void {
  const names = filesIn(folder).filter((name) => !name.startsWith(SUMS));
  const text = execFileSync('sha256sum', names, { cwd: folder, encoding: 'utf8' });
  fs.writeFileSync(path.join(folder, SUMS), text);
  if (key) fs.writeFileSync(path.join(folder, `${SUMS}.sig`), sign(null, Buffer.from(text), createPrivateKey(fs.readFileSync(key))));
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { out: { type: 'string', default: path.join(REPO, 'dist', 'release') }, key: { type: 'string' } },
  });
  const out = path.resolve(values.out);
  if (values.key && !fs.existsSync(values.key))
    throw new StackError(`${values.key} does not exist: openssl genpkey -algorithm ed25519 -out ${values.key}.`);
  const version = await readVersion();
  const [cache, progress] = [stackCache(), new Progress()];
  const logFile = path.join(cache, 'logs', 'release.log');
  fs.rmSync(out, { recursive: true, force: true });
  fs.mkdirSync(path.join(out, 'images'), { recursive: true });
  await obtainRequirements({ packages: ENGINE, cache, progress });
  await build({ cache, progress, withApps: true });
  const engine = new Engine(path.join(cache, 'containers'));
  await engine.start();
  try {
    for (const app of APP_IMAGES) {
      const image = `virtual-classroom/${app}:${version}`;
      await engine.docker(['tag', `virtual-classroom/${app}:local`, image], { what: `docker tag ${app}` });
      const file = path.join(out, 'images', `${app}-${version}.tar`);
      await progress.step(`save ${app}`, () => engine.docker(['save', '--output', file, image], { what: `docker save ${app}` }));
    }
  } finally {
    await engine.stop();
  }
  const chart = path.join(REPO, 'deploy', 'helm', 'virtual-classroom');
  await run(await obtainHelm(), ['package', chart, '--version', version, '--app-version', version, '--destination', out], {
    logFile,
    what: 'helm package',
  });
  await run(nodeBinary(), [path.join(REPO, 'tools', 'supply', 'sbom.ts'), '--out', path.join(out, 'sbom')], {
    logFile,
    what: 'npm run sbom',
  });
  await progress.step('packages', async () => {
    await run(NX, ['run-many', '--target=build', '--projects=@virtual-classroom/*'], {
      cwd: REPO,
      env: toolEnvironment(),
      logFile,
      what: 'nx build',
    });
    await packPackages(path.join(out, 'packages'), logFile);
    await packPythonSources(path.join(out, 'packages'), logFile);
  });
  writeSums(out, values.key);
  progress.line(`\n${version} is in ${out}${values.key ? '' : ', not signed: give --key'}.`);
}

if (import.meta.main) void command(main());

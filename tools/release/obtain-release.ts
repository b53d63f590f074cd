import fs from 'node:fs';
import path from 'node:path';
import { StackError } from '../stack/errors.ts';
import { withLock } from '../stack/lock.ts';
import { REPO, stackCache } from '../stack/paths.ts';
import { ask, run } from '../stack/run.ts';
import { nodeBinary, toolEnvironment } from '../stack/toolchain.ts';

export interface Release {
  version: string;
  commit: string;
}

/** @returns what is out, as release.json names it */
export const lastRelease = () => JSON.parse(fs.readFileSync(path.join(REPO, 'release.json'), 'utf8')) as Release;

/** What a release installs and builds itself with; those up to 0.1.0 have their tools in JavaScript. */
const BUILD = `
  import fs from 'node:fs';
  const folder = process.cwd() + '/tools/stack/toolchain';
  const { install, build } = await import(fs.existsSync(folder + '.ts') ? folder + '.ts' : folder + '.js');
  await install({ home: '.stack' });
  await build({ home: '.stack' });`;

/**
 * The last release, built by its own tools from its commit. It is kept by commit, and those of earlier releases go.
 * @returns its folder
 * @throws {StackError} what to do where it can't be had
 */
export async function obtainRelease({
  cache = stackCache(),
  release = lastRelease(),
}: { cache?: string; release?: Release } = {}): Promise<string> {
  const { version, commit } = release;
  if (!(await ask('git', ['-C', REPO, 'rev-parse', '--verify', '--quiet', `${commit}^{commit}`]))) {
    throw new StackError(
      `release.json names ${version} at commit ${commit}, which this clone does not have: fetch it (git fetch --unshallow, or git fetch --tags), or name there the commit of the last release.`,
    );
  }
  const releases = path.join(cache, 'releases');
  const folder = path.join(releases, commit);
  const built = path.join(folder, '.built');
  await withLock(path.join(cache, 'releases.lock'), async () => {
    if (fs.existsSync(built)) return;
    fs.rmSync(releases, { recursive: true, force: true });
    fs.mkdirSync(folder, { recursive: true });
    const logFile = path.join(cache, 'logs', 'release.log');
    await unpack(commit, folder, logFile);
    await run(nodeBinary(), ['--input-type=module', '-e', BUILD], {
      cwd: folder,
      env: toolEnvironment(),
      logFile,
      what: `The build of ${version}`,
    });
    fs.writeFileSync(built, version);
  });
  return folder;
}

/** Its files alone: a worktree would be left in this clone's list where a test is killed. */
async function unpack(commit: string, folder: string, logFile: string) {
  const archive = path.join(folder, 'archive.tar');
  await run('git', ['-C', REPO, 'archive', `--output=${archive}`, commit], { logFile, what: 'git archive' });
  await run('tar', ['-xf', archive, '-C', folder], { logFile, what: 'tar' });
  fs.rmSync(archive);
  // pnpm itself, where the release had the same: nothing needs to be fetched for it.
  const toolchain = path.join(REPO, '.toolchain');
  if (fs.existsSync(toolchain))
    fs.cpSync(toolchain, path.join(folder, '.toolchain'), { recursive: true, filter: (file) => !file.endsWith('.lock') });
}

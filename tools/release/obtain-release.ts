import fs from 'node:fs';
import path from 'node:path';
import { REPO, stackCache, StackError } from '../stack/context.ts';
import { withLock } from '../stack/pidfile.ts';
import { ask, run } from '../stack/run.ts';
import { nodeBinary, toolEnvironment } from '../stack/toolchain.ts';

export interface Release {
  version: string;
  commit: string;
}

/** @returns the last published release, from release.json */
export const lastRelease = () => JSON.parse(fs.readFileSync(path.join(REPO, 'release.json'), 'utf8')) as Release;

/** Installs and builds a release with its own tools. */
const BUILD = `
  const { install, build } = await import(process.cwd() + '/tools/stack/toolchain.ts');
  await install({ home: '.stack' });
  await build({ home: '.stack' });`;

/** @returns the full id of a commit or tag; undefined if this clone does not have it */
export const commitOf = (revision: string) => ask('git', ['-C', REPO, 'rev-parse', '--verify', '--quiet', `${revision}^{commit}`]);

/**
 * The last release, built from its commit by its own tools. The build is cached by commit, and builds of earlier releases are deleted.
 * @returns its folder
 * @throws {StackError} says what to do if the commit is not available
 */
export async function obtainRelease({
  cache = stackCache(),
  release = lastRelease(),
}: { cache?: string; release?: Release } = {}): Promise<string> {
  const { version, commit } = release;
  if (!(await commitOf(commit))) {
    throw new StackError(
      `release.json names ${version} at commit ${commit}, which this clone does not have: fetch it (git fetch --unshallow, or git fetch --tags), or name there the commit of the last release.`,
    );
  }
  const folder = path.join(cache, 'releases', commit);
  const built = path.join(folder, '.built');
  await withLock(path.join(cache, 'releases.lock'), async () => {
    if (fs.existsSync(built)) return;
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

/** Extracts the files into the folder and deletes those next to it, of other commits. A git worktree would stay registered in this clone if a test is killed. */
export async function unpack(commit: string, folder: string, logFile: string) {
  fs.rmSync(path.dirname(folder), { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const archive = path.join(folder, 'archive.tar');
  await run('git', ['-C', REPO, 'archive', `--output=${archive}`, commit], { logFile, what: 'git archive' });
  await run('tar', ['-xf', archive, '-C', folder], { logFile, what: 'tar' });
  fs.rmSync(archive);
  // Copies pnpm: if the release pins the same version, nothing has to be downloaded.
  const toolchain = path.join(REPO, '.toolchain');
  if (fs.existsSync(toolchain))
    fs.cpSync(toolchain, path.join(folder, '.toolchain'), { recursive: true, filter: (file) => !file.endsWith('.lock') });
}

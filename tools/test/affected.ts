import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { REPO } from '../stack/context.ts';
import { NX, toolEnvironment } from '../stack/toolchain.ts';
import { packages } from '../structure/sources.ts';

const output = (file: string, args: string[]) =>
  execFileSync(file, args, { cwd: REPO, env: toolEnvironment(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** @returns the branch that a change is compared with, or undefined in a folder without git or without that branch */
function baseBranch(): string | undefined {
  for (const branch of [process.env.NX_BASE, 'origin/main', 'main']) {
    try {
      if (branch) return output('git', ['merge-base', branch, 'HEAD']);
    } catch {
      // There is no such branch.
    }
  }
  return undefined;
}

const packageName = (folder: string) =>
  (JSON.parse(fs.readFileSync(path.join(REPO, folder, 'package.json'), 'utf8')) as { name: string }).name;

/**
 * The folders of the projects that a change against the main branch affects, uncommitted files included, as Nx derives them from imports.
 * @returns undefined if everything is affected or nothing changed: then all tests run
 */
export function affectedFolders(): string[] | undefined {
  const base = baseBranch();
  if (!base) return undefined;
  const changed = [
    ...output('git', ['diff', '--name-only', base]).split('\n'),
    ...output('git', ['ls-files', '--others', '--exclude-standard']).split('\n'),
  ].filter(Boolean);
  // A file outside of apps and libs, such as the lock file or the test runner, may affect every project.
  if (changed.length === 0 || changed.some((file) => !/^(apps|libs|docs|test)\//.test(file))) return undefined;
  const affected = new Set(
    JSON.parse(output(NX, ['show', 'projects', '--affected', `--files=${changed.join(',')}`, '--json'])) as string[],
  );
  const folders = [...packages().map(({ name }) => name), 'test/bench'];
  return folders.filter((folder) => affected.has(packageName(folder)));
}

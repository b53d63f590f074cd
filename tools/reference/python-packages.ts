import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { StackError, placeAtomically, stackCache, isWithin, parseVersion } from '../stack/context.ts';
import { withLock } from '../stack/pidfile.ts';
import { ask, run } from '../stack/run.ts';

export interface Wanted {
  /** Name of the folder in the cache, and of the list of pinned packages next to this file. */
  name: string;
  /** What needs them, in the middle of a sentence. */
  purpose: string;
  /** The least version of Python. */
  least: string;
}

export interface Obtained {
  python: string;
  /** For `PYTHONPATH`. */
  folder: string;
}

/**
 * Python packages in a folder of the cache, as `<name>.txt` pins them with all their dependencies. Nothing is installed system-wide.
 * @throws {StackError} says what to install
 */
export async function obtainPythonPackages(
  { name, purpose, least }: Wanted,
  { cache = stackCache(), env = process.env }: { cache?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Obtained> {
  const python = 'python3';
  const version = parseVersion((await ask(python, ['--version'], { env })) ?? '');
  if (!version || !isWithin(version.join('.'), { min: least, below: '4.0.0' }))
    throw new StackError(`${purpose}: install python3, ${least.replace(/\.0$/, '')} or newer, and pip.`);
  const pins = path.join(import.meta.dirname, `${name}.txt`);
  const digest = createHash('sha256').update(fs.readFileSync(pins)).digest('hex').slice(0, 12);
  // Some of these packages are compiled for one version of Python.
  const folder = path.join(cache, name, `${digest}-python${version.slice(0, 2).join('.')}`);
  return withLock(path.join(cache, `${name}.lock`), async () => {
    if (!fs.existsSync(folder)) {
      await placeAtomically(folder, (staging) =>
        run(
          python,
          ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '--target', staging, '--requirement', pins],
          { env, cwd: staging, logFile: path.join(cache, 'logs', `${name}-pip.log`), what: `pip install ${name}` },
        ),
      );
    }
    return { python, folder };
  });
}

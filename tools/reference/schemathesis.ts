import fs from 'node:fs';
import path from 'node:path';
import { StackError } from '../stack/errors.ts';
import { withLock } from '../stack/lock.ts';
import { placeAtomically, stackCache } from '../stack/paths.ts';
import { ask, run } from '../stack/run.ts';
import { isWithin, parse } from '../stack/version.ts';

const PINS = path.join(import.meta.dirname, 'schemathesis.txt');
const LEAST_PYTHON = { min: '3.10.0', below: '4.0.0' };

/**
 * Schemathesis and its dependencies, as Python packages in a folder of the cache. Nothing is installed system-wide.
 * @throws {StackError} says what to install
 */
export async function obtainSchemathesis({
  cache = stackCache(),
  env = process.env,
}: { cache?: string; env?: NodeJS.ProcessEnv } = {}): Promise<{ python: string; folder: string }> {
  const python = 'python3';
  const version = parse((await ask(python, ['--version'], { env })) ?? '');
  if (!version || !isWithin(version.join('.'), LEAST_PYTHON))
    throw new StackError('The reference is tried by Schemathesis: install python3, 3.10 or newer, and pip.');
  const pin = /^schemathesis==(\S+)$/m.exec(fs.readFileSync(PINS, 'utf8'))?.[1];
  // Some of these packages are compiled for one version of Python.
  const folder = path.join(cache, 'schemathesis', `${pin}-python${version.slice(0, 2).join('.')}`);
  return withLock(path.join(cache, 'schemathesis.lock'), async () => {
    if (!fs.existsSync(path.join(folder, 'schemathesis'))) {
      await placeAtomically(folder, (staging) =>
        run(
          python,
          ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '--target', staging, '--requirement', PINS],
          {
            env,
            cwd: staging,
            logFile: path.join(cache, 'logs', 'schemathesis-pip.log'),
            what: 'pip install schemathesis',
          },
        ),
      );
    }
    return { python, folder };
  });
}

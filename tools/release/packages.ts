import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { obtainPythonSdkPackages } from '../obtain.ts';
import { command, placeAtomically, REPO, StackError } from '../stack/context.ts';
import { run } from '../stack/run.ts';
import { PNPM, toolEnvironment } from '../stack/toolchain.ts';
import { writeWheel } from './wheel.ts';

const PYTHON_SDK = path.join(REPO, 'libs', 'sdk-python');

interface Package {
  folder: string;
  name: string;
  version: string;
}

/** The packages that are published to npm: the libraries that are not private. */
export function npmPackages(): Package[] {
  return fs
    .globSync('libs/*/package.json', { cwd: REPO })
    .map((file) => {
      const manifest = JSON.parse(fs.readFileSync(path.join(REPO, file), 'utf8')) as { name: string; version: string; private?: boolean };
      return { ...manifest, folder: path.join(REPO, path.dirname(file)) };
    })
    .filter((it) => !it.private)
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** @throws {StackError} names each published package with another version */
export function checkVersions(version: string, packages = npmPackages(), pyproject = path.join(PYTHON_SDK, 'pyproject.toml')): void {
  const [, python = ''] = /^version = "(.*)"$/m.exec(fs.readFileSync(pyproject, 'utf8')) ?? [];
  const all = [...packages.map((it) => [it.name, it.version]), ['virtual-classroom (Python)', python]];
  const wrong = all.filter(([, it]) => it !== version).map(([name, it]) => `${name} ${it}`);
  if (wrong.length > 0) throw new StackError(`These packages have another version than ${version}: ${wrong.join(', ')}.`);
}

/** Packs the built packages: an archive of each for npm, and the wheel for Python. What the folder had before is removed. */
export async function packPackages(out: string, logFile: string): Promise<void> {
  await placeAtomically(out, async (staging) => {
    const options = { env: toolEnvironment(), logFile };
    await Promise.all(
      npmPackages().map(({ folder, name }) =>
        run(PNPM, ['pack', '--pack-destination', staging], { ...options, cwd: folder, what: `pnpm pack ${name}` }),
      ),
    );
    await writeWheel(PYTHON_SDK, staging);
  });
}

/** Writes the sources of the Python client, for its registry. */
export async function packPythonSources(out: string, logFile: string): Promise<void> {
  const { python, folder } = await obtainPythonSdkPackages();
  const env = { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };
  await run(python, ['-m', 'hatchling', 'build', '-t', 'sdist', '-d', out], { cwd: PYTHON_SDK, env, logFile, what: 'hatchling build' });
}

// npm run packages [-- --out <folder>]: the clients, the command line and the web component as archives that npm and pip install.
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { out: { type: 'string', default: path.join(REPO, 'dist', 'packages') } } });
  const out = path.resolve(values.out);
  await packPackages(out, path.join(REPO, 'dist', 'packages.log'));
  for (const name of fs.readdirSync(out).sort()) process.stdout.write(`${path.join(out, name)}\n`);
}

if (import.meta.main) void command(main());

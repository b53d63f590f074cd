import fs from 'node:fs';
import path from 'node:path';
import { obtainPythonSdkPackages } from '../reference/python-sdk.ts';
import { StackError } from '../stack/errors.ts';
import { REPO } from '../stack/paths.ts';
import { run } from '../stack/run.ts';
import { NX, PNPM, toolEnvironment } from '../stack/toolchain.ts';

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

/** Builds the packages, and writes an archive of each for npm, and the wheel and the sources for Python. */
export async function packPackages(out: string, logFile: string): Promise<void> {
  const packages = npmPackages();
  const options = { cwd: REPO, env: toolEnvironment(), logFile };
  await run(NX, ['run-many', '--target=build', `--projects=${packages.map(({ name }) => name).join(',')}`], {
    ...options,
    what: 'nx build',
  });
  for (const { folder, name } of packages)
    await run(PNPM, ['pack', '--pack-destination', out], { ...options, cwd: folder, what: `pnpm pack ${name}` });
  const { python, folder } = await obtainPythonSdkPackages();
  const env = { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };
  await run(python, ['-m', 'hatchling', 'build', '-d', out], { cwd: PYTHON_SDK, env, logFile, what: 'hatchling build' });
}

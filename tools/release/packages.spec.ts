import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { obtainPythonSdkPackages } from '../obtain.ts';
import { REPO } from '../stack/context.ts';
import { run } from '../stack/run.ts';
import { checkVersions, npmPackages, packPackages } from './packages.ts';
import { writeWheel } from './wheel.ts';

const { version } = require('../../package.json') as { version: string };

describe('the packages of a release', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'classroom-packages-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('have the version of the repository, and one with another stops the release', () => {
    checkVersions(version);
    const pyproject = join(folder, 'pyproject.toml');
    writeFileSync(pyproject, '[project]\nversion = "0.0.9"\n');
    const packages = npmPackages().map((it) => (it.name === '@virtual-classroom/sdk' ? { ...it, version: '0.0.8' } : it));
    expect(() => checkVersions(version, packages, pyproject)).toThrow(
      `These packages have another version than ${version}: @virtual-classroom/sdk 0.0.8, virtual-classroom (Python) 0.0.9.`,
    );
  });

  it('are archives that npm and pip install', async () => {
    const out = join(folder, 'packages');
    await packPackages(out, join(folder, 'pack.log'));
    expect(readdirSync(out).sort()).toEqual([
      `virtual-classroom-cli-${version}.tgz`,
      `virtual-classroom-embed-${version}.tgz`,
      `virtual-classroom-sdk-${version}.tgz`,
      `virtual_classroom-${version}-py3-none-any.whl`,
    ]);
  });

  it('are the same wheel as the Python package’s own build makes, but for its marks of the builder', async () => {
    const log = join(folder, 'wheel.log');
    const { python, folder: packages } = await obtainPythonSdkPackages();
    const own = join(folder, 'own');
    const env = { ...process.env, PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1' };
    const cwd = join(REPO, 'libs', 'sdk-python');
    await run(python, ['-m', 'hatchling', 'build', '-t', 'wheel', '-d', own], { cwd, env, logFile: log, what: 'hatchling build' });
    const name = await writeWheel(cwd, folder);
    const textOf = (file: string) => readFileSync(file, 'utf8').replace(/^(?:Metadata-Version|Generator): .*\n/gm, '');
    const unpacked = async (wheel: string, to: string) => {
      await run(python, ['-m', 'zipfile', '-e', wheel, to], { logFile: log, what: 'zipfile' });
      const files = readdirSync(to, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
      return new Map(files.map((it) => [join(relative(to, it.parentPath), it.name), textOf(join(it.parentPath, it.name))]));
    };
    const ours = await unpacked(join(folder, name), join(folder, 'ours'));
    const theirs = await unpacked(join(own, name), join(folder, 'theirs'));
    const differing = [...ours].filter(([file, content]) => theirs.get(file) !== content).map(([file]) => file.split('/')[1]);
    expect([[...ours.keys()].sort(), differing.sort()]).toEqual([[...theirs.keys()].sort(), ['RECORD']]);
  });
});

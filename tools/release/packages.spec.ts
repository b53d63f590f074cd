import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkVersions, npmPackages, packPackages } from './packages.ts';

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
      `virtual_classroom-${version}.tar.gz`,
    ]);
  });
});

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { BuildStamp } from './toolchain.ts';

describe('the stamp of a build', () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'classroom-stamp-'));
  const file = (name: string) => path.join(root, name);
  const stamp = () => new BuildStamp(root, file('build.stamp'));
  const build = async () => fs.writeFileSync(file('apps/room/dist/main.js'), 'built');

  beforeEach(async () => {
    for (const folder of ['apps/room/src', 'apps/room/dist', 'apps/room/node_modules', 'libs', 'docs/reference', 'tools/bundle'])
      fs.mkdirSync(file(folder), { recursive: true });
    for (const name of ['apps/room/src/main.ts', 'nx.json', 'pnpm-lock.yaml', 'tsconfig.base.json']) fs.writeFileSync(file(name), name);
    fs.rmSync(file('build.stamp'), { force: true });
    await stamp().around(build);
  });

  afterAll(() => fs.rmSync(root, { recursive: true }));

  test('is valid after a build, and without one it is not', () => {
    expect(stamp().isValid()).toBe(true);
    fs.rmSync(file('build.stamp'));
    expect(stamp().isValid()).toBe(false);
  });

  test.each(['apps/room/src/main.ts', 'apps/room/dist/main.js', 'nx.json', 'libs/new.ts'])('is invalid after %s was written', (name) => {
    fs.writeFileSync(file(name), 'changed');
    expect(stamp().isValid()).toBe(false);
  });

  test('is invalid after a built file was deleted', () => {
    fs.rmSync(file('apps/room/dist/main.js'));
    expect(stamp().isValid()).toBe(false);
  });

  test('does not depend on installed packages', () => {
    fs.writeFileSync(file('apps/room/node_modules/package.js'), '');
    expect(stamp().isValid()).toBe(true);
  });

  test('is not written if a source changes while the build runs, or if it fails', async () => {
    fs.rmSync(file('build.stamp'));
    await stamp().around(async () => fs.writeFileSync(file('apps/room/src/main.ts'), 'edited'));
    expect(stamp().isValid()).toBe(false);
    await expect(stamp().around(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(stamp().isValid()).toBe(false);
  });
});

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { tryLock, withLock } from './pidfile.ts';

describe('lock', () => {
  let file: string;
  beforeEach(() => {
    file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'lock-')), 'it.pid');
  });
  afterEach(() => {
    fs.rmSync(path.dirname(file), { recursive: true, force: true });
  });

  test('a second process gets the holder’s pid until the lock is released', () => {
    const first = tryLock(file);
    expect(tryLock(file)).toEqual({ holder: process.pid });
    if ('release' in first) first.release();
    expect(tryLock(file)).toHaveProperty('release');
  });

  test.each([
    ['a dead holder', JSON.stringify({ pid: process.pid, identity: 'another boot:1' })],
    ['an empty file', ''],
  ])('%s does not hold the lock', (_, content) => {
    fs.writeFileSync(file, content);
    expect(tryLock(file)).toHaveProperty('release');
    expect(fs.readdirSync(path.dirname(file))).toEqual(['it.pid']);
  });

  test('work under the lock runs one after the other', async () => {
    const seen: string[] = [];
    const work = (name: string) =>
      withLock(file, async () => {
        seen.push(`${name} in`);
        await new Promise((resolve) => {
          setTimeout(resolve, 20);
        });
        seen.push(`${name} out`);
      });
    await Promise.all([work('a'), work('b')]);
    expect(seen).toEqual(['a in', 'a out', 'b in', 'b out']);
  });
});

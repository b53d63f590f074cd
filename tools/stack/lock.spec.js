'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { tryLock, withLock } = require('./lock');

describe('lock', () => {
  /** @type {string} */
  let file;
  beforeEach(() => { file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'lock-')), 'it.pid'); });
  afterEach(() => { fs.rmSync(path.dirname(file), { recursive: true, force: true }); });

  test('a second taker learns who has it, until it is released', () => {
    const first = tryLock(file);
    expect(tryLock(file)).toEqual({ holder: process.pid });
    if ('release' in first) first.release();
    expect(tryLock(file)).toHaveProperty('release');
  });

  test.each([
    ['a dead holder', JSON.stringify({ pid: process.pid, identity: 'another boot:1' })],
    ['an empty file', ''],
  ])('%s does not keep it', (_, content) => {
    fs.writeFileSync(file, content);
    expect(tryLock(file)).toHaveProperty('release');
    expect(fs.readdirSync(path.dirname(file))).toEqual(['it.pid']);
  });

  test('work under the lock goes one after the other', async () => {
    /** @type {string[]} */
    const seen = [];
    const work = (/** @type {string} */ name) => withLock(file, async () => {
      seen.push(`${name} in`);
      await new Promise((resolve) => { setTimeout(resolve, 20); });
      seen.push(`${name} out`);
    });
    await Promise.all([work('a'), work('b')]);
    expect(seen).toEqual(['a in', 'a out', 'b in', 'b out']);
  });
});

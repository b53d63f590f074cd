'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { endLeftOvers, identify, isAlive, listPids, writePid } = require('./pidfile');

describe('pid files', () => {
  /** @type {string} */
  let home;
  /** @type {import('node:child_process').ChildProcess[]} */
  let children;
  beforeEach(() => { home = fs.mkdtempSync(path.join(os.tmpdir(), 'pidfile-')); children = []; });
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
    fs.rmSync(home, { recursive: true, force: true });
  });

  /** @param {string} script */
  const born = (script) => {
    const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: 'ignore' });
    children.push(child);
    return /** @type {number} */ (child.pid);
  };
  /** @param {number} pid @param {object} [more] */
  const record = (pid, more = {}) => ({ name: 'it', pid, identity: identify(pid) ?? '', owner: 'me', order: 1, signal: /** @type {const} */ ('SIGTERM'), ...more });

  test('a process is the same only with the same start', () => {
    const mine = record(process.pid);
    expect(isAlive(mine)).toBe(true);
    expect(isAlive({ ...mine, identity: `${mine.identity}0` })).toBe(false);
  });

  test('what a dead launcher left is ended, and its file goes', async () => {
    const pid = born('sleep 60');
    writePid(home, record(pid));
    expect(await endLeftOvers(home)).toEqual(['it']);
    expect(identify(pid)).toBeUndefined();
    expect(listPids(home)).toEqual([]);
  });

  test('one that ignores the polite signal is killed, with what it started', async () => {
    const pid = born(`trap "" TERM; sleep 60 & echo $! > ${home}/child; wait; sleep 60`);
    await new Promise((resolve) => { setTimeout(resolve, 200); });
    const child = Number(fs.readFileSync(path.join(home, 'child'), 'utf8'));
    expect(identify(child)).toBeDefined();
    writePid(home, record(pid));
    await endLeftOvers(home, { graceMs: 200 });
    await new Promise((resolve) => { setTimeout(resolve, 50); });
    expect([identify(pid), identify(child)]).toEqual([undefined, undefined]);
  });

  test('a stranger with the same pid lives on', async () => {
    const pid = born('sleep 60');
    writePid(home, record(pid, { identity: 'another boot:1' }));
    expect(await endLeftOvers(home)).toEqual([]);
    expect(identify(pid)).toBeDefined();
    expect(listPids(home)).toEqual([]);
  });

  test('a watchdog ends only what its own launcher started', async () => {
    const pid = born('sleep 60');
    writePid(home, record(pid, { owner: 'another launcher' }));
    expect(await endLeftOvers(home, { owner: 'me' })).toEqual([]);
    expect(identify(pid)).toBeDefined();
    expect(listPids(home)).toHaveLength(1);
  });
});

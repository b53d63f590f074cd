import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawn, type ChildProcess } from 'node:child_process';
import { endOrphans, identify, isAlive, listPids, writePid } from './pidfile.ts';

describe('pid files', () => {
  let home: string;
  let children: ChildProcess[];
  beforeEach(() => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), 'pidfile-'));
    children = [];
  });
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
    fs.rmSync(home, { recursive: true, force: true });
  });

  const born = (script: string) => {
    const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: 'ignore' });
    children.push(child);
    return child.pid as number;
  };
  const record = (pid: number, more: object = {}) => ({
    name: 'it',
    pid,
    identity: identify(pid) ?? '',
    owner: 'me',
    order: 1,
    signal: 'SIGTERM' as const,
    ...more,
  });

  test('a process is the same only with the same start', () => {
    const mine = record(process.pid);
    expect(isAlive(mine)).toBe(true);
    expect(isAlive({ ...mine, identity: `${mine.identity}0` })).toBe(false);
  });

  test('the processes of a dead launcher are ended, and its file is deleted', async () => {
    const pid = born('sleep 60');
    writePid(home, record(pid));
    expect(await endOrphans(home)).toEqual(['it']);
    expect(identify(pid)).toBeUndefined();
    expect(listPids(home)).toEqual([]);
  });

  test('a process that ignores SIGTERM is killed, with its children', async () => {
    const pid = born(`trap "" TERM; sleep 60 & echo $! > ${home}/child; wait; sleep 60`);
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
    const child = Number(fs.readFileSync(path.join(home, 'child'), 'utf8'));
    expect(identify(child)).toBeDefined();
    writePid(home, record(pid));
    await endOrphans(home, { graceMs: 200 });
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
    expect([identify(pid), identify(child)]).toEqual([undefined, undefined]);
  });

  test('another process with the same pid is not killed', async () => {
    const pid = born('sleep 60');
    writePid(home, record(pid, { identity: 'another boot:1' }));
    expect(await endOrphans(home)).toEqual([]);
    expect(identify(pid)).toBeDefined();
    expect(listPids(home)).toEqual([]);
  });

  test('a watchdog ends only what its own launcher started', async () => {
    const pid = born('sleep 60');
    writePid(home, record(pid, { owner: 'another launcher' }));
    expect(await endOrphans(home, { owner: 'me' })).toEqual([]);
    expect(identify(pid)).toBeDefined();
    expect(listPids(home)).toHaveLength(1);
  });
});

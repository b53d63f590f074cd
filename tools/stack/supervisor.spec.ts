import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ManagedProcess, ORDER } from './process.ts';
import { backOff, supervise } from './supervisor.ts';

describe('the supervisor', () => {
  let home: string;
  let handle: ManagedProcess;
  let output: string[];
  /** errors with which the next starts fail */
  let failures: Error[];
  let endSupervision: () => void;
  beforeEach(async () => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), 'supervisor-'));
    [output, failures] = [[], []];
    const command = () => {
      const failure = failures.shift();
      if (failure) throw failure;
      return { file: '/bin/sleep', args: ['60'], env: {} };
    };
    handle = new ManagedProcess({ name: 'it', order: ORDER.part, check: async () => true, command }, { home, owner: 'me' });
    await handle.start();
    endSupervision = supervise([handle], (line) => output.push(line));
  });
  afterEach(async () => {
    endSupervision();
    await handle.kill();
    fs.rmSync(home, { recursive: true });
  });

  const crash = async () => {
    process.kill(handle.pid as number, 'SIGKILL');
    await handle.exited;
  };
  const until = async (holds: () => boolean) => {
    while (!holds())
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
  };

  test('retries after a failed launch', async () => {
    failures = [new Error('no such file')];
    await crash();
    await until(() => output.some((line) => line === 'it is back.'));
    expect(output[1]).toMatch(/^it could not be started \(no such file\); starting it again in 1 s\./);
    expect(handle.isRunning).toBe(true);
  });

  test('reports a full disk', async () => {
    failures = [Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })];
    await crash();
    await until(() => output.length === 2);
    expect(output[1]).toMatch(/^The disk is full: make room on the one of .*it could not be started/);
  });

  test('waits longer with each crash, up to half a minute', () => {
    expect([1, 2, 3, 7, 50].map(backOff)).toEqual([500, 1000, 2000, 30_000, 30_000]);
  });
});

import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { isFree, pickPorts } from './ports.ts';
import { HeldSocket, ManagedProcess, ORDER } from './process.ts';

/** Serves its pid on the inherited socket. */
const SERVER = "require('node:http').createServer((request, response) => response.end(String(process.pid))).listen({ fd: 3 })";

describe('a port that the launcher holds', () => {
  test('keeps requests waiting while its process is killed and started again, and is free after the stop', async () => {
    const home = fs.mkdtempSync(path.join(os.tmpdir(), 'held-'));
    const { gatewayPort: port, release } = await pickPorts();
    const ask = () =>
      new Promise<number>((resolve, reject) => {
        http
          .get({ host: '127.0.0.1', port, agent: false }, (response) => response.on('data', (chunk) => resolve(Number(chunk))))
          .once('error', reject);
      });
    const handle = new ManagedProcess(
      {
        name: 'it',
        order: ORDER.app,
        socket: new HeldSocket('127.0.0.1', port),
        check: async () => (await ask()) === handle.pid,
        command: () => ({ file: process.execPath, args: ['-e', SERVER], env: {} }),
      },
      { home, owner: 'me' },
    );
    try {
      await handle.start();
      process.kill(handle.pid ?? NaN, 'SIGKILL');
      await handle.exited;
      const answer = ask();
      await handle.start();
      expect(await answer).toBe(handle.pid);
      await handle.stop();
      expect(await isFree(port)).toBe(true);
    } finally {
      await handle.stop();
      release();
      fs.rmSync(home, { recursive: true });
    }
  });
});

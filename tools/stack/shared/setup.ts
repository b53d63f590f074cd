import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Socket } from 'node:net';
import type { SharedStacks } from './teardown.ts';

/** Starts the server of shared stacks, and puts its address into SHARED_STACKS. */
export default async function setup(): Promise<void> {
  // In its own process group, so that it can stop the stacks gracefully after Ctrl-C. It ends when this process does.
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'server.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  child.stdin.on('error', () => {});
  const ended = once(child, 'exit');
  const [address] = (await Promise.race([once(child.stdout.setEncoding('utf8'), 'data'), ended])) as unknown[];
  if (typeof address !== 'string') throw new Error('the server of shared stacks did not start');
  process.env.SHARED_STACKS = address.trim();
  for (const stream of [child.stdin, child.stdout] as Socket[]) stream.unref();
  child.unref();
  (globalThis as SharedStacks).sharedStacks = child;
}

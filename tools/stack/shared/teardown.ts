import { once } from 'node:events';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** Set by setup.ts: both run in jest's first process. */
export interface SharedStacks {
  sharedStacks?: ChildProcessByStdio<Writable, Readable, null>;
}

/**
 * Stops the shared stacks and deletes their folders.
 * @throws if a process of one ended by itself, logged an error that no contract declares, or tried what it has no permission for
 */
export default async function teardown(): Promise<void> {
  const server = (globalThis as SharedStacks).sharedStacks;
  if (!server) return;
  let text = '';
  server.ref();
  server.stdout.on('data', (chunk: string) => (text += chunk));
  const ended = once(server, 'close');
  server.stdin.end();
  const [code] = await ended;
  if (code !== 0) throw new Error(`shared stacks (exit ${code}):\n${text}`);
}

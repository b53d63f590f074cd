import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { permissionViolations, undeclaredErrors } from '../context.ts';
import { fromTemplate } from '../home.ts';
import type { StackOptions } from '../options.ts';
import { pickPorts } from '../ports.ts';
import { describeExit } from '../process.ts';
import { type Stack, startStack } from '../stack.ts';

/** What went wrong in a stack that nothing may stop or break. */
const faults: Record<string, string[]> = {};
/** By worker. A failed start stays in here, so that each worker attempts it once. */
const stacks = new Map<string, Promise<Stack>>();
let isOver = false;

async function start(worker: string, options: StackOptions): Promise<Stack> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'classroom-'));
  const own = {
    home,
    ...(await pickPorts()),
    external: false,
    supervise: false,
    quiet: true,
    postgres: { fsync: false },
    ...fromTemplate(),
  };
  const stack = await startStack({ ...own, ...options });
  const processes = [...Object.values(stack.apps), ...Object.values(stack.parts)];
  for (const it of processes) {
    it.unexpectedExitListeners.push((exit) => {
      (faults[worker] ??= []).push(`${it.name} ended by itself (${describeExit(exit)}): ${it.lastLines(3).join(' | ')}`);
    });
  }
  return stack;
}

/** POST starts the worker's stack if necessary. GET only reports whether it still runs, if it was started. */
async function answer(request: http.IncomingMessage): Promise<object> {
  const worker = (request.url ?? '').slice(1);
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  if (request.method === 'POST') {
    if (isOver) throw new Error('the run has ended');
    const options = JSON.parse(body) as StackOptions;
    if (!stacks.has(worker)) stacks.set(worker, start(worker, options));
    await stacks.get(worker);
  }
  const found = faults[worker];
  if (found) throw new Error(found.join('\n'));
  const stack = await stacks.get(worker);
  return stack ? { home: stack.home, urls: stack.urls, secrets: stack.secrets, ports: stack.ports } : {};
}

/** @returns what failed in all stacks */
async function stopAll(): Promise<string[]> {
  isOver = true;
  const outcomes = await Promise.allSettled(stacks.values());
  const found = Object.values(faults).flat();
  const running = outcomes.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []));
  await Promise.all(
    running.map(async (stack) => {
      found.push(...undeclaredErrors(stack.home).map((line) => `an error that no contract declares: ${line}`));
      await stack.stop();
      found.push(...permissionViolations(stack.home).map((line) => `what a user has no permission for: ${line}`));
      await stack.stop({ wipe: true });
    }),
  );
  return found;
}

// Ctrl-C reaches jest, whose end closes our stdin, however it ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
for (const stream of [process.stdin, process.stdout]) stream.on('error', () => {});
const server = http.createServer((request, response) => {
  answer(request).then(
    (result) => response.end(JSON.stringify(result)),
    (error: unknown) => {
      const { message, details = [] } = error as Error & { details?: string[] };
      response.writeHead(500).end([message, ...details].join('\n'));
    },
  );
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`));
process.stdin.resume().once('close', () => {
  void stopAll().then((found) => process.stdout.write(found.join('\n'), () => process.exit(found.length === 0 ? 0 : 1)));
});

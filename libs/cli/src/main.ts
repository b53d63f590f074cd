#!/usr/bin/env node
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { CommandError, type Io } from './io.js';
import { run } from './program.js';

const { env, stdin, stdout, stderr } = process;
/** 128 and the number of the signal, as a shell expects it. */
const INTERRUPTED = 130;

/** A signal for a command that ends itself. Until a command asks for it, Ctrl-C ends the process. */
let interrupted: AbortSignal | undefined;
function onInterrupt(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => (controller.signal.aborted ? process.exit(INTERRUPTED) : controller.abort()));
  }
  return controller.signal;
}

function ask(question: string, isSecret = false): Promise<string> {
  const lines = createInterface({ input: stdin, output: stderr, terminal: true });
  return new Promise((resolve, reject) => {
    lines.once('close', () => reject(new CommandError('The question was not answered', 'Run the command again.')));
    lines.question(question, (answer) => {
      resolve(answer);
      lines.close();
      if (isSecret) stderr.write('\n');
    });
    // The question is written; what is typed is not.
    if (isSecret) Object.assign(lines, { _writeToOutput: () => undefined });
  });
}

const io: Io = {
  env,
  get signal() {
    return (interrupted ??= onInterrupt());
  },
  out: (data) => void stdout.write(data),
  err: (data) => void stderr.write(data),
  isInteractive: stdin.isTTY === true && stderr.isTTY === true,
  ask,
  readAll: () => text(stdin),
};

// A reader such as `head` may close the pipe early.
stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));

process.exitCode = await run(process.argv.slice(2), io);

/**
 * The operator's command for the DLQ stream: `node dist/dead-letters/main.js list | show <n> | replay <n>|all | drop <n>`, with
 * NATS_URL.
 */
import { loadConfig } from '@classroom/platform';
import { z } from 'zod';
import { connectNats } from '../connection.js';
import { DeadLetters, type DeadLetter } from './dead-letters.js';

const USAGE = 'Use: list | show <number> | replay <number>|all | drop <number>';

async function main(): Promise<void> {
  const [command = 'list', argument = ''] = process.argv.slice(2);
  const { NATS_URL } = loadConfig(z.object({ NATS_URL: z.string().min(1) }));
  const connection = await connectNats(NATS_URL, 'dead-letters');
  try {
    await run(new DeadLetters(connection), command, argument);
  } finally {
    await connection.close();
  }
}

async function run(letters: DeadLetters, command: string, argument: string): Promise<void> {
  const sequence = Number(argument);
  if (command === 'list') return list(await letters.list());
  if (command === 'replay' && argument === 'all') {
    const all = await letters.list(Number.MAX_SAFE_INTEGER);
    for (const letter of all) await letters.replay(letter.sequence);
    return print(`${all.length} put back`);
  }
  if (!Number.isInteger(sequence) || sequence < 1) throw new Error(USAGE);
  if (command === 'show') {
    const letter = await letters.get(sequence);
    if (!letter) throw new Error(`There is no dead letter ${sequence}; \`list\` shows those there are`);
    return print(JSON.stringify(letter, null, 2));
  }
  if (command !== 'replay' && command !== 'drop') throw new Error(USAGE);
  const done = command === 'replay' ? await letters.replay(sequence) : await letters.drop(sequence);
  if (!done) throw new Error(`There is no dead letter ${sequence}; \`list\` shows those there are`);
  return print(`${sequence} ${command === 'replay' ? 'put back' : 'dropped'}`);
}

function list(letters: DeadLetter[]): void {
  if (letters.length === 0) return print('No dead letters.');
  for (const { sequence, setAsideAt, consumer, originalSubject, reason } of letters) {
    print(`${sequence}  ${setAsideAt}  ${consumer}  ${originalSubject}  ${reason}`);
  }
}

const print = (text: string) => void process.stdout.write(`${text}\n`);

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});

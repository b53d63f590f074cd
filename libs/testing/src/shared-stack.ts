import { createHash } from 'node:crypto';
import { RunningStack, type StackFacts } from './running-stack.js';
import { testEnvironment } from './stack.js';

/** The keys that sign links to stored videos: new ones with the first. */
export const MEDIA_KEYS = { new: 'n'.repeat(40), old: 'o'.repeat(40) };

/** Of the operators by name. `grace` may only read. */
export const OPERATOR_SECRETS = { ada: `ada-${'a'.repeat(40)}`, grace: `grace-${'g'.repeat(40)}` };
const sha256 = (value: string) => createHash('sha256').update(value).digest('hex');

/** The variables that most test files need. A file that needs others, or breaks something, starts its own stack. */
const ENVIRONMENT = testEnvironment({
  env: {
    gateway: {
      TRUSTED_PROXIES: '127.0.0.1',
      OPERATORS: `ada:${sha256(OPERATOR_SECRETS.ada)},grace:${sha256(OPERATOR_SECRETS.grace)}:read`,
    },
    media: {
      MEDIA_SIGNING_KEYS: Object.entries(MEDIA_KEYS)
        .map((pair) => pair.join(':'))
        .join(','),
    },
  },
});

/** Whether this test file has asked for the stack: jest loads this module again for each file. */
let isUsed = false;

/**
 * The stack that all test files of one jest worker use, started on the first call. A file creates its own organizations in it, and
 * may not assume that rows, counts or logs are its own.
 * @throws if the stack does not start, or one of its processes has ended
 */
export async function sharedStack(): Promise<RunningStack> {
  isUsed = true;
  return new RunningStack((await ask('POST', { env: ENVIRONMENT })) as StackFacts, true);
}

/** @throws if this test file uses the shared stack and one of its processes has ended: then the file's failures are a consequence */
export async function expectSharedStackRuns(): Promise<void> {
  if (isUsed) await ask('GET');
}

async function ask(method: string, body?: object): Promise<unknown> {
  const { SHARED_STACKS, JEST_WORKER_ID } = process.env;
  if (!SHARED_STACKS) throw new Error('only the jest project `system` has shared stacks: start one with TestStack.start');
  const answer = await fetch(`${SHARED_STACKS}/${JEST_WORKER_ID}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the shared stack: ${text}`);
  return JSON.parse(text);
}

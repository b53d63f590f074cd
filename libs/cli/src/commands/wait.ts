import { setTimeout as sleep } from 'node:timers/promises';
import type { Printer } from '../output/printer.js';

const POLL_MS = 1_000;

interface Waiting<T> {
  ask: () => Promise<T>;
  isDone: (state: T) => boolean;
  /** What is waited for, in a sentence. */
  describe: (state: T) => string;
}

/** Asks every second until it is done, and says what it waits for whenever that changes. */
export async function waitFor<T>({ ask, isDone, describe }: Waiting<T>, print: Printer): Promise<T> {
  for (let last = ''; ;) {
    const state = await ask();
    if (isDone(state)) return state;
    const text = describe(state);
    if (text !== last) print.note(text);
    last = text;
    await sleep(POLL_MS);
  }
}

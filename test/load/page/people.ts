// A process of run.ts: connects the participants that it is sent, and keeps them in class until it is asked to end.
import { setTimeout as sleep } from 'node:timers/promises';
import { LoadPerson, dispose } from './person.ts';

const SIZE = { width: 320, height: 180 };
const FPS = 10;
/** Number of connections in parallel: more would only wait for each other. */
const CONCURRENCY = 3;
/** On a busy machine a connection may be lost while it is established. */
const ATTEMPTS = 5;

const people: LoadPerson[] = [];

/** Draws a shade with a moving square, so that all pictures differ. */
function painter(shade: number) {
  const luma = SIZE.width * SIZE.height;
  const data = new Uint8Array((luma * 3) / 2).fill(128);
  return (tick: number) => {
    data.fill(40 + ((shade * 37) % 160), 0, luma);
    const left = (tick * 6) % (SIZE.width - 60);
    for (let row = 60; row < 120; row += 1) data.fill(225, row * SIZE.width + left, row * SIZE.width + left + 60);
    return data;
  };
}

async function connect(url: string, token: string): Promise<LoadPerson> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await LoadPerson.connect(url, token);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await sleep(1_000);
    }
  }
}

process.on('message', async ({ url, tokens, publishes }: { url: string; tokens: string[]; publishes: boolean }) => {
  const left = tokens.entries();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const [i, token] of left) {
        const person = await connect(url, token);
        people.push(person);
        if (!publishes) continue;
        await person.show(SIZE, painter(i), { fps: FPS });
        await person.speak(i === 0 ? 300 : undefined);
      }
    }),
  );
  process.send?.({ present: people.length });
});

// Thrown by rtc-node's finalizer for a connection that was lost while it was established.
process.on('uncaughtException', (error) => {
  if (!/invalid handle/.test(String(error))) throw error;
});

async function end() {
  await Promise.race([Promise.all(people.map((person) => person.leave().catch(() => undefined))), sleep(5_000)]);
  await dispose();
  process.exit(0);
}
process.once('SIGTERM', end);
process.once('disconnect', end);

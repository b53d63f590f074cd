import { inParallel } from './limits.js';
import { Loop, runLoops } from './loop.js';

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('Loop', () => {
  it('runs one turn at a time, again immediately if it was woken meanwhile, and none after it stopped', async () => {
    let turns = 0;
    let atOnce = 0;
    const second = Promise.withResolvers<void>();
    const loop = new Loop('test', 10_000, async () => {
      atOnce += 1;
      expect(atOnce).toBe(1);
      turns += 1;
      if (turns === 2) second.resolve();
      await sleep(20);
      atOnce -= 1;
    });
    loop.start();
    await sleep(5);
    loop.wake();
    loop.wake();
    await second.promise;
    await sleep(60);
    expect(turns).toBe(2);
    await loop.stop();
    loop.wake();
    await sleep(30);
    expect(turns).toBe(2);
  });

  it('begins no sooner after the last turn than its minimum, however often it is woken', async () => {
    let turns = 0;
    const loop = new Loop('test', 10_000, async () => void (turns += 1), 10_000);
    loop.start();
    for (let wakes = 0; wakes < 10; wakes += 1) {
      await sleep(3);
      loop.wake();
    }
    expect(turns).toBe(1);
    await loop.stop();
  });

  it('runs on request, although its interval has not passed, from the beginning even if a run is in progress', async () => {
    const began: number[] = [];
    const loop = new Loop('test', 10_000, async () => {
      began.push(performance.now());
      await sleep(20);
    });
    loop.start();
    await sleep(10);
    const requestedAt = performance.now();
    await runLoops();
    expect(began.at(-1)).toBeGreaterThanOrEqual(requestedAt);
    await loop.stop();
    await runLoops();
    expect(began).toHaveLength(2);
  });

  it('stops only when the current turn is done', async () => {
    let isDone = false;
    const loop = new Loop('test', 1, async () => {
      await sleep(30);
      isDone = true;
    });
    loop.start();
    await sleep(5);
    await loop.stop();
    expect(isDone).toBe(true);
  });

  it('is overdue when no run has completed for longer than its interval, whether runs fail or hang', async () => {
    const failing = new Loop('failing', 1, () => Promise.reject(new Error('unreachable')));
    let finish = () => {};
    const hanging = new Loop('hanging', 1, () => new Promise((resolve) => (finish = resolve)));
    const punctual = new Loop('punctual', 10_000, () => Promise.resolve());
    for (const loop of [failing, hanging, punctual]) loop.start();
    await sleep(50);
    expect(failing.overdueSeconds).toBeGreaterThan(0.02);
    expect(hanging.overdueSeconds).toBeGreaterThan(0.02);
    expect(punctual.overdueSeconds).toBe(0);
    finish();
    await Promise.all([failing, hanging, punctual].map((loop) => loop.stop()));
  });
});

describe('inParallel', () => {
  it('processes all items, never more at a time than the limit', async () => {
    const done: number[] = [];
    let atOnce = 0;
    await inParallel([5, 1, 3, 1, 1], 2, async (ms) => {
      atOnce += 1;
      expect(atOnce).toBeLessThanOrEqual(2);
      await sleep(ms);
      atOnce -= 1;
      done.push(ms);
    });
    expect(done).toHaveLength(5);
  });
});

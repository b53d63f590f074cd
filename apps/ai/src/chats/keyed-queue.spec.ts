import { KeyedQueue } from './keyed-queue.js';

const never = new AbortController().signal;
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('a keyed queue', () => {
  it('runs one turn at a time, in the order in which turns were enqueued', async () => {
    const queue = new KeyedQueue();
    const entered: number[] = [];
    const entries = [0, 1, 2, 3].map(() => queue.enqueue('a'));
    // Turns run in the order of `enqueue`, even if their `waitForTurn` calls come in another order.
    const turns = entries.map(async (entry, number) => {
      await settled();
      await entry.waitForTurn(1_000, never);
      entered.push(number);
    });
    await turns[0];
    await settled();
    expect(entered).toEqual([0]);
    for (const [number, entry] of entries.entries()) {
      await turns[number];
      entry.leave();
    }
    expect(entered).toEqual([0, 1, 2, 3]);
    expect(queue.size).toBe(0);
  });

  it('does not let keys wait for each other', async () => {
    const queue = new KeyedQueue();
    queue.enqueue('a');
    await expect(queue.enqueue('b').waitForTurn(1_000, never)).resolves.toBeUndefined();
  });

  it('rejects a turn with CHAT_BUSY after its timeout, and skips it', async () => {
    const queue = new KeyedQueue();
    const first = queue.enqueue('a');
    const timedOut = queue.enqueue('a');
    const next = queue.enqueue('a');
    await expect(timedOut.waitForTurn(10, never)).rejects.toMatchObject({ code: 'CHAT_BUSY' });
    timedOut.leave();
    first.leave();
    await next.waitForTurn(1_000, never);
    next.leave();
    expect(queue.size).toBe(0);
  });

  it('drops a waiting turn as soon as its caller disconnects', async () => {
    const queue = new KeyedQueue();
    const first = queue.enqueue('a');
    const caller = new AbortController();
    const aborted = queue.enqueue('a');
    const waiting = aborted.waitForTurn(1_000, caller.signal);
    caller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(aborted.waitForTurn(1_000, caller.signal)).rejects.toThrow('gone');
    aborted.leave();
    const next = queue.enqueue('a');
    first.leave();
    // Leaving twice does not let a second turn in.
    const after = queue.enqueue('a');
    first.leave();
    await next.waitForTurn(1_000, never);
    await expect(after.waitForTurn(10, never)).rejects.toMatchObject({ code: 'CHAT_BUSY' });
  });
});

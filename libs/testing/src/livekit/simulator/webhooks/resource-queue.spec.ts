import { type QueuedEvent, queueRules, ResourceQueue } from './resource-queue.js';

/** A queue with a receiver that takes `takesMs` for each event. */
function queueOver(takesMs: number) {
  const sent: string[] = [];
  const dropped: string[] = [];
  const idle = jest.fn();
  const queue = new ResourceQueue({
    post: async (event: QueuedEvent) => {
      sent.push(event.id);
      await new Promise((resolve) => setTimeout(resolve, takesMs));
    },
    dropped: (event, reason) => void dropped.push(`${event.id} ${reason}`),
    idle,
  });
  return { queue, sent, dropped, idle };
}

describe('ResourceQueue', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('sends one after the other, in order', async () => {
    const { queue, sent, idle } = queueOver(100);
    for (const id of ['1', '2', '3']) queue.enqueue(id, '{}');
    expect(sent).toEqual(['1']);
    await jest.advanceTimersByTimeAsync(150);
    expect(sent).toEqual(['1', '2']);
    await jest.advanceTimersByTimeAsync(150);
    expect(sent).toEqual(['1', '2', '3']);
    expect(idle).toHaveBeenCalledTimes(1);
  });

  it('holds two hundred behind the one in flight and refuses the next, not the oldest', () => {
    const { queue, dropped } = queueOver(60_000);
    for (let n = 0; n <= queueRules.maxDepth; n++) expect(queue.enqueue(`${n}`, '{}')).toBe(true);
    expect(queue.enqueue('late', '{}')).toBe(false);
    expect(dropped).toEqual(['late full']);
  });

  it('drops a webhook that waited more than thirty seconds for its turn', async () => {
    const { queue, sent, dropped } = queueOver(15_000);
    for (const id of ['1', '2', '3', '4']) queue.enqueue(id, '{}');
    await jest.advanceTimersByTimeAsync(29_999);
    queue.enqueue('5', '{}');
    await jest.advanceTimersByTimeAsync(60_000);
    // The third waited exactly thirty seconds, which is still sent; the fourth forty-five; the fifth fifteen.
    expect(sent).toEqual(['1', '2', '3', '5']);
    expect(dropped).toEqual(['4 age']);
  });

  it('loses waiting webhooks when the process dies', async () => {
    const { queue, sent, dropped } = queueOver(100);
    for (const id of ['1', '2']) queue.enqueue(id, '{}');
    queue.clear();
    await jest.advanceTimersByTimeAsync(1_000);
    expect([sent, dropped]).toEqual([['1'], []]);
  });
});

import { Batcher } from './batcher.js';

describe('batcher', () => {
  it('processes what arrives during a batch together, in order, and answers each caller', async () => {
    const batches: number[][] = [];
    const batcher = new Batcher<number, string>(3, async (items) => {
      batches.push([...items]);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return items.map((item) =>
        item === 3 ? { status: 'rejected', reason: new Error('three') } : { status: 'fulfilled', value: `${item}` },
      );
    });
    const results = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => batcher.add(item)));
    expect(batches).toEqual([[1], [2, 3, 4], [5]]);
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : (result.reason as Error).message))).toEqual([
      '1',
      '2',
      'three',
      '4',
      '5',
    ]);
    expect(await batcher.add(6)).toBe('6');
  });
});

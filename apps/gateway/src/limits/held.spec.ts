import { Held } from './held.js';

describe('what is held', () => {
  it('counts for its key and for all, until it is released, and leaves nothing', () => {
    const held = new Held();
    const release = held.take('a', 5);
    const others = [held.take('a'), held.take('b', 2)];
    expect([held.of('a'), held.of('b'), held.of('c'), held.total, held.size]).toEqual([6, 2, 0, 8, 2]);
    for (let times = 0; times < 2; times++) release();
    expect([held.of('a'), held.total]).toEqual([1, 3]);
    for (const one of others) one();
    expect([held.total, held.size]).toEqual([0, 0]);
  });
});

import { mosOf } from './mos.js';

const PERFECT = { lossPercent: 0, roundTripMs: 0, bufferMs: 0 };

describe('the mean opinion score', () => {
  it.each([
    [{}, 4.4],
    [{ roundTripMs: 40, bufferMs: 40 }, 4.4],
    [{ lossPercent: 1 }, 4.2],
    [{ lossPercent: 3 }, 3.7],
    [{ lossPercent: 5 }, 3.2],
    [{ lossPercent: 10 }, 2.4],
    [{ roundTripMs: 600 }, 3.7],
    [{ roundTripMs: 300, bufferMs: 300 }, 2.7],
    [{ lossPercent: 100 }, 1],
    [{ roundTripMs: 60_000 }, 1],
  ])('of %j is %d', (transport, mos) => {
    expect(mosOf({ ...PERFECT, ...transport })).toBe(mos);
  });

  it('never rises with loss or delay', () => {
    for (const name of ['lossPercent', 'roundTripMs', 'bufferMs'] as const) {
      const scores = Array.from({ length: 100 }, (_, step) => mosOf({ ...PERFECT, [name]: step * (name === 'lossPercent' ? 1 : 20) }));
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
    }
  });
});

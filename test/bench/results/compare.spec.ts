import { compare, failureOf } from './compare.ts';
import { PATHS } from './paths.ts';
import { toResult } from './results.ts';

/** @param ours microseconds of each round */
const results = (...ours: number[]) => [
  toResult(PATHS.status, {
    ours: ours.map((gateway) => ({ units: 1, seconds: 1, cpu: { gateway } })),
    bare: [{ units: 1, seconds: 1, cpu: { gateway: 100 } }],
  }),
];

describe('a quick run of a benchmark', () => {
  it('meets a committed ratio if the median of its rounds reaches 0.7 of it by processor time', () => {
    expect(compare('status', results(200), results(900, 285, 100))).toMatchObject({ committed: 0.5, isMet: true });
    expect(compare('status', results(200), results(100, 286, 900)).isMet).toBe(false);
  });

  it('says which path got slower, by how much, in which process, and what to do', () => {
    const text = failureOf(compare('status', results(200), results(400)));
    expect(text).toContain('status: the ratio of bare to our processor time is 0.25, less than 0.7 of the committed 0.50.');
    expect(text).toContain('gateway 200 → 400');
    expect(text).toContain('npm run bench -- check --record');
  });

  it('fails without a committed or a measured result', () => {
    expect(() => compare('status', [], results(1))).toThrow('test/bench/quick-results.json has no result of the path “status”');
    expect(() => compare('status', results(1), [])).toThrow('the quick run has no result of the path “status”');
  });
});

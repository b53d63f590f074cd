import { MAX_KEY_USES } from '@classroom/contracts';
import type { RpcClient } from '@classroom/messaging';
import { SystemClock } from '@classroom/platform';
import { ApiKeyUses } from './api-key-uses.js';

const NOW = '2026-01-15T09:00:00.000Z';

describe('the uses of API keys', () => {
  beforeEach(() => jest.useFakeTimers({ now: new Date(NOW) }));
  afterEach(() => jest.useRealTimers());

  function usesOf(answer: () => Promise<object> = async () => ({})) {
    const reports: { keyId: string; usedAt: string }[][] = [];
    const call = (_: unknown, { uses }: { uses: { keyId: string; usedAt: string }[] }) => {
      reports.push(uses);
      return answer();
    };
    return { reports, uses: new ApiKeyUses({ call } as unknown as RpcClient, new SystemClock()) };
  }

  it('are reported together ten seconds after the first, each key with its last', async () => {
    const { reports, uses } = usesOf();
    uses.record('a');
    await jest.advanceTimersByTimeAsync(9_000);
    for (const key of ['b', 'a']) uses.record(key);
    expect(reports).toEqual([]);
    await jest.advanceTimersByTimeAsync(1_000);
    const usedAt = '2026-01-15T09:00:09.000Z';
    expect(reports).toEqual([
      [
        { keyId: 'a', usedAt },
        { keyId: 'b', usedAt },
      ],
    ]);
    uses.record('c');
    await jest.advanceTimersByTimeAsync(10_000);
    expect(reports[1]).toEqual([{ keyId: 'c', usedAt: '2026-01-15T09:00:10.000Z' }]);
  });

  it('are reported in batches before a shutdown', async () => {
    const { reports, uses } = usesOf();
    for (let index = 0; index <= MAX_KEY_USES; index++) uses.record(`key-${index}`);
    await uses.beforeApplicationShutdown();
    expect(reports.map(({ length }) => length)).toEqual([MAX_KEY_USES, 1]);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(reports).toHaveLength(2);
  });

  it('are lost, without an error, if their owner does not answer', async () => {
    const { reports, uses } = usesOf(() => Promise.reject(new Error('unreachable')));
    uses.record('a');
    await uses.beforeApplicationShutdown();
    await uses.beforeApplicationShutdown();
    expect(reports).toHaveLength(1);
  });
});

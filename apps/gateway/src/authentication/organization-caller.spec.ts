import { MAX_REPORTED_USES } from '@classroom/contracts';
import type { RpcClient } from '@classroom/messaging';
import { SystemClock } from '@classroom/platform';
import { CredentialUses } from './organization-caller.js';

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
    return { reports, uses: new CredentialUses({ call } as unknown as RpcClient, new SystemClock()) };
  }

  it('are reported together ten seconds after the first, each key with its last', async () => {
    const { reports, uses } = usesOf();
    uses.recordKey('a');
    await jest.advanceTimersByTimeAsync(9_000);
    for (const key of ['b', 'a']) uses.recordKey(key);
    expect(reports).toEqual([]);
    await jest.advanceTimersByTimeAsync(1_000);
    const usedAt = '2026-01-15T09:00:09.000Z';
    expect(reports).toEqual([
      [
        { keyId: 'a', usedAt },
        { keyId: 'b', usedAt },
      ],
    ]);
    uses.recordKey('c');
    await jest.advanceTimersByTimeAsync(10_000);
    expect(reports[1]).toEqual([{ keyId: 'c', usedAt: '2026-01-15T09:00:10.000Z' }]);
  });

  it('are reported in batches before a shutdown', async () => {
    const { reports, uses } = usesOf();
    for (let index = 0; index <= MAX_REPORTED_USES; index++) uses.recordKey(`key-${index}`);
    await uses.beforeApplicationShutdown();
    expect(reports.map(({ length }) => length)).toEqual([MAX_REPORTED_USES, 1]);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(reports).toHaveLength(2);
  });

  it('of VF-ORG-ID are reported by the ids of their credentials', async () => {
    const { reports, uses } = usesOf();
    uses.recordCredential('cred_a');
    await uses.beforeApplicationShutdown();
    expect(reports).toEqual([[{ credentialId: 'cred_a', usedAt: NOW }]]);
  });

  it('are lost, without an error, if their owner does not answer', async () => {
    const { reports, uses } = usesOf(() => Promise.reject(new Error('unreachable')));
    uses.recordKey('a');
    await uses.beforeApplicationShutdown();
    await uses.beforeApplicationShutdown();
    expect(reports).toHaveLength(1);
  });
});

import { compareWithRecord, raised, readRecord, ringOf } from './count.ts';

describe('the record of executed tests', () => {
  it('refuses a ring with fewer tests than recorded, and says what to do', () => {
    const { fewer, more } = compareWithRecord({ unit: 5, system: 3 }, { unit: 4, system: 3 });
    expect(fewer).toEqual([expect.stringMatching(/^unit: 4 tests ran, .* records 5\. Restore .* lower the record in the same commit/)]);
    expect(more).toEqual({});
    expect(compareWithRecord({ reference: 1 }, { reference: 0 }).fewer).toHaveLength(1);
  });

  it('finds rings with more tests, also one that is not recorded yet; a ring that did not run is not compared', () => {
    expect(compareWithRecord({ unit: 5, system: 3 }, { unit: 6, chaos: 1 })).toEqual({ fewer: [], more: { unit: 6, chaos: 1 } });
  });

  test.each([
    ['libs/messaging/test/delivery.it.spec.ts', 'integration'],
    ['apps/room/src/presence/interval.spec.ts', 'unit'],
    ['tools/stack/tls.it.spec.ts', 'integration'],
    ['apps/room/test/outage.it.long.spec.ts', 'integration'],
    ['test/bench/results/compare.spec.ts', 'unit'],
    ['test/system/ai/tutor.spec.ts', 'system'],
    ['test/docs/pages.spec.ts', 'docs'],
  ])('counts %s for the ring %s', (file, ring) => {
    expect(ringOf(file)).toBe(ring);
  });

  it('is raised in both forms by the short one, which is part of the whole, and only in its own by the whole', () => {
    const record = { short: { unit: 5 }, all: { unit: 5, upgrade: 2 } };
    expect(raised(record, 'short', { unit: 7 })).toEqual({ short: { unit: 7 }, all: { unit: 7, upgrade: 2 } });
    expect(raised(record, 'all', { unit: 9 })).toEqual({ short: { unit: 5 }, all: { unit: 9, upgrade: 2 } });
  });

  it('has both forms, and no ring with fewer tests in all than in the short form', () => {
    const { short, all } = readRecord();
    for (const [ring, count] of Object.entries(short)) expect(all[ring]).toBeGreaterThanOrEqual(count);
  });
});

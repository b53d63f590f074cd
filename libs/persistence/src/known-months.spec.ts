import { KnownMonths } from './known-months.js';

describe('the known months of a partitioned table', () => {
  const added: string[] = [];
  const months = new KnownMonths(async (month) => added.push(month));
  beforeEach(() => void added.splice(0));

  it('are added once, by UTC', async () => {
    await months.ensure([new Date('2026-11-30T23:59:59.999Z'), new Date('2026-11-02T00:00:00Z'), new Date('2026-12-01T00:00:00Z')]);
    await months.ensure([new Date('2026-12-31T00:00:00Z')]);
    expect(added).toEqual(['2026-11-01', '2026-12-01']);
  });

  it('are added in advance, over the end of a year', async () => {
    await months.ensureAhead(new Date('2027-11-30T12:00:00Z'));
    expect(added).toEqual(['2027-11-01', '2027-12-01', '2028-01-01']);
  });

  it('are tried again after a failure', async () => {
    let failures = 1;
    const unreliable = new KnownMonths(async () => {
      if (failures-- > 0) throw new Error('unreachable');
    });
    const ensure = () => unreliable.ensure([new Date(0)]);
    await expect(ensure()).rejects.toThrow('unreachable');
    await expect(ensure()).resolves.toBeUndefined();
  });
});

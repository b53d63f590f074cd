/** Months beyond the present one whose partitions are added in advance. */
const AHEAD = 2;

const monthOf = (time: Date) => `${time.toISOString().slice(0, 7)}-01`;

/** The months (UTC) for which a table is known to have a partition. */
export class KnownMonths {
  private readonly known = new Set<string>();

  /** @param add adds the partition of a month, such as `2026-11-01`, if it is missing; not part of a transaction */
  constructor(private readonly add: (month: string) => Promise<unknown>) {}

  /** Adds the missing partitions. It needs no statement for a month that it has seen before. */
  async ensure(times: readonly Date[]): Promise<void> {
    for (const month of new Set(times.map(monthOf))) {
      if (this.known.has(month)) continue;
      await this.add(month);
      this.known.add(month);
    }
  }

  /** Adds the partitions of this month and of the next two, so that nothing has to wait for them. */
  async ensureAhead(now: Date): Promise<void> {
    const months = Array.from({ length: AHEAD + 1 }, (_, count) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count)));
    await this.ensure(months);
  }
}

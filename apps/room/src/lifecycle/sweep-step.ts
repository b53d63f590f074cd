import { AppError } from '@classroom/contracts';
import { inParallel, inSpan, logger } from '@classroom/platform';

const CONCURRENCY = 4;

const sidOf = (item: string | { sid: string }) => (typeof item === 'string' ? item : item.sid);

/** One kind of work of the sweep. */
export class SweepStep {
  /** The rooms for which a dependency was unreachable come last in the next run: it may have been unreachable for them alone. */
  private readonly unavailable = new Set<string>();

  constructor(private readonly name: string) {}

  /**
   * Runs `work` for each item in its own trace. A failed item does not stop the others, and the next run retries it. If a
   * dependency is unreachable, the remaining items are left to the next run.
   */
  async run<T extends string | { sid: string }>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
    const isLast = (item: T) => Number(this.unavailable.has(sidOf(item)));
    const ordered = items.toSorted((a, b) => isLast(a) - isLast(b));
    this.unavailable.clear();
    await inParallel(ordered, CONCURRENCY, async (item) => {
      if (this.unavailable.size >= CONCURRENCY) return;
      const sid = sidOf(item);
      try {
        await inSpan(this.name, { attributes: { 'room.sid': sid } }, () => work(item));
      } catch (error) {
        if (error instanceof AppError && error.kind === 'unavailable') this.unavailable.add(sid);
        else logger.error({ err: error, sid, sweep: this.name }, 'room sweep failed; will retry');
      }
    });
  }
}

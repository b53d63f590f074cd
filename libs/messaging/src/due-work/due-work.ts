import { isUnavailable } from '@classroom/contracts';
import { inParallel, inSpan, logger, Loop, SpanKind, trackWork, type Task } from '@classroom/platform';
import type { JobQueue, JobWorker } from './job-queue.js';

const INTERVAL_MS = 1_000;
/** An item that was found and failed is left alone for one second, then for two, four, and at most eight. */
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 8_000;

/** Work that rows say is due: how it is found, and what is done with it. */
export interface DueWorkOptions<I> {
  /** In logs, spans and metrics. With a queue: the queue's name. */
  name: string;
  /** Identifies an item: while one with its key waits or runs in this process, it is not begun again. */
  keyOf(item: I): string;
  /** At most `limit` items that are due at `now`, the longest due first. They stay due until they are done. Each is run at most once in an interval, and one that failed is left alone for longer. */
  find?(now: Date, limit: number): Promise<readonly I[]>;
  /** The same, but moves the due time of these items to the end of a lease: each is run, and is due again then if that fails. Either this or `find`. */
  claim?(now: Date, limit: number): Promise<readonly I[]>;
  /** Idempotent. What it throws is logged, and the item is retried. @param signal is aborted when the process shuts down, before it waits for `run` */
  run(item: I, signal: AbortSignal): Promise<unknown>;
  /** How many items one process works on at the same time. */
  parallel: number;
  /** How many items are taken at a time; `parallel` if it is not given. */
  batch?: number;
  /** Milliseconds between two looks for due items: 1 s if it is not given. */
  intervalMs?: number;
  /** Due times are compared with another machine's clock, not with the clock of domain deadlines. */
  isByWallTime?: boolean;
  /** Since when the item is due that has waited longest: exported as `classroom_job_overdue_seconds`. */
  dueSince?(now: Date): Promise<Date | null | undefined>;
}

/** How a queue in Redis takes part. Without one, the process that claims an item runs it. */
export interface Spread<I> {
  queue: Pick<JobQueue, 'contract' | 'add'> & { work(concurrency: number, run: (item: I) => Promise<void>): JobWorker };
  /** The queue only wakes a worker at times that were set with `addAt`: claimed items are not put into it. */
  isWakeOnly?: boolean;
}

/**
 * Does what is due, in processes with the role `worker`: claims due items and has the queue's workers run them, or runs them itself if there is no
 * queue or Redis is unreachable. An item that fails delays no other one. At shutdown it claims nothing more, aborts the signal and waits for what runs.
 */
export class DueWork<I> implements Task {
  private readonly loop: Loop;
  private readonly stopping = new AbortController();
  /** Keys of the items that wait or run in this process because no queue took them. */
  private readonly local = new Set<string>();
  private readonly runs = new Set<Promise<void>>();
  /**
   * Items that were found and run are left alone for a while, after `failures` in a row: `until`, by the monotonic clock, but no longer than `dueFrom`
   * by the clock of due times, which a test or a sandbox moves.
   */
  private readonly resting = new Map<string, { failures: number; until: number; dueFrom: number }>();
  /** How many items the last look found that run already or were run just now: the next one finds as many more. */
  private passedOver = 0;
  private worker: JobWorker | undefined;
  private isQueueUnreachable = false;

  constructor(
    private readonly options: DueWorkOptions<I>,
    private readonly time: () => Date,
    private readonly spread?: Spread<I>,
  ) {
    this.loop = new Loop(options.name, options.intervalMs ?? INTERVAL_MS, () => this.takeDue());
  }

  start(): void {
    this.worker = this.spread?.queue.work(this.options.parallel, (item) => this.attempt(item));
    this.loop.start();
  }

  async stop(): Promise<void> {
    this.stopping.abort(new Error('the process shuts down'));
    await Promise.all([this.loop.stop(), this.worker?.stop()]);
    await Promise.all(this.runs);
  }

  /** Looks now: something has become due. */
  wake(): void {
    this.loop.wake();
  }

  private async takeDue(): Promise<void> {
    const { parallel, batch = parallel, keyOf } = this.options;
    const isSpread = this.spread !== undefined && !this.spread.isWakeOnly;
    const free = parallel - this.local.size - (this.worker?.running ?? 0);
    const limit = isSpread && !this.isQueueUnreachable ? batch : Math.min(batch, free);
    if (limit <= 0) return;
    const asked = limit + this.passedOver;
    const take = this.options.claim ?? this.options.find;
    const items = (await take?.(this.time(), asked)) ?? [];
    if (isSpread) {
      this.isQueueUnreachable = !(await this.spread.queue.add(items as never[]));
      if (!this.isQueueUnreachable) return;
    }
    for (const [key, { until }] of this.resting) if (until + MAX_DELAY_MS < performance.now()) this.resting.delete(key);
    const ready = items.filter((item) => !this.local.has(keyOf(item)) && !this.isResting(keyOf(item)));
    this.passedOver = items.length - ready.length;
    const isMoreDue = items.length >= asked;
    if (ready.length > 0) this.runAll(ready, isMoreDue);
    else if (isMoreDue) this.loop.wake();
  }

  /** Does not wait: other items may become due, and Redis may be reachable again. */
  private runAll(items: readonly I[], isMoreDue: boolean): void {
    for (const item of items) this.local.add(this.options.keyOf(item));
    const all = inParallel(items, this.options.parallel, async (item) => {
      await this.attempt(item).catch(() => undefined);
      this.local.delete(this.options.keyOf(item));
      if (isMoreDue) this.loop.wake();
    }).finally(() => this.runs.delete(all));
    this.runs.add(all);
    trackWork(all);
  }

  private async attempt(item: I): Promise<void> {
    const { name, keyOf, run } = this.options;
    const key = keyOf(item);
    try {
      await inSpan(`process ${name}`, this.spanOptions, () => run(item, this.stopping.signal));
      this.rest(key, 0, this.options.intervalMs ?? INTERVAL_MS);
    } catch (error) {
      const failures = (this.resting.get(key)?.failures ?? 0) + 1;
      this.rest(key, failures, Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), MAX_DELAY_MS));
      // While a dependency is unreachable, once for each item.
      if (failures === 1 || !isUnavailable(error)) logger.warn({ err: error, work: name, key }, 'due work failed; will retry');
      throw error;
    }
  }

  private rest(key: string, failures: number, ms: number): void {
    this.resting.set(key, { failures, until: performance.now() + ms, dueFrom: this.time().getTime() + ms });
  }

  private isResting(key: string): boolean {
    const rest = this.resting.get(key);
    if (!rest || this.options.claim) return false;
    return performance.now() < rest.until && this.time().getTime() < rest.dueFrom;
  }

  private get spanOptions() {
    if (!this.spread) return {};
    const attributes = {
      'messaging.system': 'bullmq',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': this.spread.queue.contract.queue,
    };
    return { kind: SpanKind.CONSUMER, attributes };
  }
}

import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { JobContract, JobData } from '@classroom/contracts';
import { Clock, CONFIG, Dependencies, observedGauge, type BaseConfig } from '@classroom/platform';
import { redisOptions, JobQueue } from './job-queue.js';
import { DueWork, type DueWorkOptions } from './due-work.js';

type QueuedOptions<C extends JobContract> = Omit<DueWorkOptions<JobData<C>>, 'name' | 'keyOf'> & { isWakeOnly?: boolean };

/**
 * Declares a service's due work: `@InBackground() private readonly work: DueWork<…>` on a provider, and in its constructor
 * `this.work = dueWorks.declare({ … })`, or `declareQueued(contract, { … })` if a queue spreads it over the workers.
 */
@Injectable()
export class DueWorks implements OnApplicationShutdown {
  private readonly queues = new Map<string, JobQueue>();

  constructor(
    @Inject(CONFIG) private readonly config: BaseConfig & { REDIS_URL?: string },
    private readonly dependencies: Dependencies,
    private readonly clock: Clock,
  ) {}

  declare<I>(options: DueWorkOptions<I>): DueWork<I> {
    this.observe(options);
    return new DueWork(options, this.timeOf(options));
  }

  declareQueued<C extends JobContract>(contract: C, { isWakeOnly = false, ...options }: QueuedOptions<C>): DueWork<JobData<C>> {
    const all: DueWorkOptions<JobData<C>> = { ...options, name: contract.queue, keyOf: (data) => contract.keyOf(data) };
    this.observe(all);
    return new DueWork<JobData<C>>(all, this.timeOf(options), { queue: this.queueOf(contract), isWakeOnly });
  }

  /** The queue of a contract. Every process of the service may add jobs. */
  queueOf<C extends JobContract>(contract: C): JobQueue<C> {
    const known = this.queues.get(contract.queue);
    if (known) return known as unknown as JobQueue<C>;
    const { REDIS_URL } = this.config;
    if (!REDIS_URL) throw new Error(`${contract.queue} needs REDIS_URL`);
    const queue = new JobQueue(contract, redisOptions(REDIS_URL));
    // Any queue does: while Redis is unreachable the ping waits, and the check times out first.
    this.dependencies.register('redis', () => queue.ping(), { required: false });
    this.queues.set(contract.queue, queue as unknown as JobQueue);
    return queue;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
  }

  private timeOf({ isByWallTime = false }: { isByWallTime?: boolean }): () => Date {
    return isByWallTime ? () => this.clock.wall() : () => this.clock.now();
  }

  private observe<I>({ name, dueSince, ...options }: DueWorkOptions<I>): void {
    if (!dueSince) return;
    const time = this.timeOf(options);
    observedGauge('classroom_job_overdue_seconds', 'How late the job is that has waited longest, by queue', async () => {
      const now = time();
      const since = await dueSince(now);
      const seconds = since ? (now.getTime() - since.getTime()) / 1000 : 0;
      return [{ value: Math.max(seconds, 0), attributes: { queue: name } }];
    });
  }
}

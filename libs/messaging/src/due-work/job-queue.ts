import type { JobContract, JobData } from '@classroom/contracts';
import { logger, within } from '@classroom/platform';
import { Queue, Worker, type ConnectionOptions } from 'bullmq';
import type { RedisOptions } from 'ioredis';

const PREFIX = 'bull';
/** If Redis does not answer within this time it counts as unreachable, and the caller does the due work itself. */
const TIMEOUT_MS = 500;
const LOG_INTERVAL_MS = 60_000;
/** More jobs in one call would hold Redis for milliseconds. */
const JOBS_PER_CALL = 250;
/** Milliseconds. Another worker takes the job of a killed one after this time; BullMQ's default is 30 s. */
const LOCK_MS = 10_000;
const STALLED_INTERVAL_MS = 5_000;
/** A job whose worker died is taken again so many times: the rows limit the attempts, not the queue. */
const MAX_STALLED = 100;
/** A job that failed runs again after 1, 2 and 4 s. Then it leaves the queue, and comes back if it is still due. */
const RETRIES = { attempts: 4, backoff: { type: 'exponential', delay: 1_000 } };
/** A job that is done or failed must not keep its key: it may be due again. */
const REMOVED = { removeOnComplete: true, removeOnFail: true };

/** Whether Redis has done it within the timeout. */
const isDoneInTime = (work: Promise<unknown>): Promise<boolean> =>
  within(TIMEOUT_MS, work).then(
    () => true,
    () => false,
  );

/** A worker of a queue. */
export interface JobWorker {
  /** How many jobs are in progress. */
  readonly running: number;
  /** Takes no more jobs. Resolves when those in progress have ended and the connection is closed. */
  stop(): Promise<void>;
}

/**
 * A queue in Redis, by BullMQ. Rows say what is due; the queue only spreads the work over the workers and wakes one of them at a time, so a queue
 * that is lost or unreachable loses nothing.
 */
export class JobQueue<C extends JobContract = JobContract> {
  private readonly queue: Queue;
  /** ioredis buffers what it could not send: until the last call is answered, the queue gets no more jobs. */
  private isUnanswered = false;
  private nextLogAt = 0;

  constructor(
    readonly contract: C,
    private readonly connection: ConnectionOptions,
  ) {
    this.queue = new Queue(contract.queue, { connection, prefix: PREFIX });
    this.queue.on('error', this.logError);
  }

  /** Resolves if Redis answers. */
  async ping(): Promise<void> {
    await this.queue.isPaused();
  }

  /** @returns whether the queue took the jobs: not if Redis does not answer in half a second, or has not answered the previous call */
  async add(jobs: readonly JobData<C>[]): Promise<boolean> {
    for (let from = 0; from < jobs.length; from += JOBS_PER_CALL) {
      if (!(await this.addSome(jobs.slice(from, from + JOBS_PER_CALL)))) return false;
    }
    return true;
  }

  /** Wakes a worker for the job after `delayMs`; `at` tells two deadlines of one subject apart. A failure is harmless: a row holds the deadline. */
  addAt(data: JobData<C>, delayMs: number, at: Date): void {
    const jobId = `${this.contract.keyOf(data)}-${at.getTime()}`;
    this.queue.add(this.contract.queue, data, { jobId, delay: delayMs, ...REMOVED }).catch(this.logError);
  }

  /** Takes jobs until the worker is stopped, at most `concurrency` at the same time. */
  work(concurrency: number, run: (data: JobData<C>) => Promise<void>): JobWorker {
    const running = new Set<Promise<void>>();
    const track = (work: Promise<void>) => {
      running.add(work);
      return work.finally(() => running.delete(work));
    };
    const worker = new Worker<JobData<C>>(this.contract.queue, (job) => track(run(job.data)), {
      connection: this.connection,
      prefix: PREFIX,
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_INTERVAL_MS,
      maxStalledCount: MAX_STALLED,
    });
    worker.on('error', this.logError);
    return {
      get running() {
        return running.size;
      },
      stop: async () => {
        // Otherwise a free slot would keep taking jobs while another one works.
        await worker.pause(true);
        await Promise.allSettled(running);
        // While Redis is unreachable it does not learn that they are done: another worker runs them once more, for rows that are no longer due.
        await worker.close(!(await isDoneInTime(this.ping())));
      },
    };
  }

  /** Does not wait for Redis, which may be unreachable. */
  close(): Promise<void> {
    return this.queue.getBackend().close(true);
  }

  private async addSome(jobs: readonly JobData<C>[]): Promise<boolean> {
    if (this.isUnanswered) return false;
    this.isUnanswered = true;
    const name = this.contract.queue;
    const added = this.queue.addBulk(
      jobs.map((data) => ({ name, data, opts: { jobId: this.contract.keyOf(data), ...REMOVED, ...RETRIES } })),
    );
    return isDoneInTime(added.finally(() => (this.isUnanswered = false)));
  }

  /** BullMQ repeats an error at each attempt: it is logged once a minute. */
  private readonly logError = (error: unknown): void => {
    if (performance.now() < this.nextLogAt) return;
    this.nextLogAt = performance.now() + LOG_INTERVAL_MS;
    logger.warn({ err: error, queue: this.contract.queue }, 'queue unreachable; due work is done without it');
  };
}

/** Connection options for BullMQ. Workers wait for Redis without a limit and retry the connection at least once a second. */
export function redisOptions(url: string) {
  const { hostname, port, password, username, pathname, protocol } = new URL(url);
  return {
    host: hostname,
    port: Number(port || 6379),
    db: Number(pathname.slice(1) || 0),
    ...(password ? { password: decodeURIComponent(password) } : {}),
    ...(username ? { username: decodeURIComponent(username) } : {}),
    ...(protocol === 'rediss:' ? { tls: {} } : {}),
    maxRetriesPerRequest: null,
    retryStrategy: (attempt: number) => Math.min(attempt * 100, 1_000),
  } satisfies RedisOptions;
}

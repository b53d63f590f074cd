import { inSpan, SpanKind } from '@classroom/platform';

/** If Redis does not answer within this time it counts as unreachable, and the caller does the due work itself. */
const QUEUE_TIMEOUT_MS = 500;
/**
 * Queues whose last call has not been answered yet. ioredis buffers what it could not send, so such a queue gets no more jobs
 * until that call is answered.
 */
const unanswered = new WeakSet<object>();

/** One job. The id identifies its subject; a queue accepts an id only once while a job with it waits or runs. */
export interface DueJob<D> {
  jobId: string;
  data: D;
}

/** The part of BullMQ's Queue that is used. */
interface JobQueue<D> {
  addBulk(jobs: { name: string; data: D; opts: { jobId: string; removeOnComplete: boolean; removeOnFail: boolean } }[]): Promise<unknown>;
}

/** Whether the queue took the jobs. False if Redis does not answer in half a second, or has not answered the previous call. */
export async function enqueueDueJobs<D>(queue: JobQueue<D>, name: string, jobs: readonly DueJob<D>[]): Promise<boolean> {
  if (jobs.length === 0) return true;
  if (unanswered.has(queue)) return false;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => {
      unanswered.add(queue);
      resolve(false);
    }, QUEUE_TIMEOUT_MS);
  });
  // A job that failed or is done must not keep its id: it may be due again.
  const named = jobs.map(({ jobId, data }) => ({ name, data, opts: { jobId, removeOnComplete: true, removeOnFail: true } }));
  const added = queue.addBulk(named).then(
    () => true,
    () => false,
  );
  void added.then(() => {
    clearTimeout(timer);
    unanswered.delete(queue);
  });
  return Promise.race([added, timeout]);
}

/** Runs a job's work in its own span. */
export const processJob = (queue: string, work: () => Promise<unknown>): Promise<void> =>
  inSpan(
    `process ${queue}`,
    {
      kind: SpanKind.CONSUMER,
      attributes: {
        'messaging.system': 'bullmq',
        'messaging.operation.name': 'process',
        'messaging.operation.type': 'process',
        'messaging.destination.name': queue,
      },
    },
    async () => void (await work()),
  );

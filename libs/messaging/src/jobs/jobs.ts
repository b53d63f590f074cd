import { inSpan, SpanKind } from '@classroom/platform';

/** Without an answer for longer, Redis counts as unreachable: what is due is then done where it was found. */
const QUEUE_TIMEOUT_MS = 500;
/** Queues that have not answered since. ioredis keeps what it could not send: it gets no more until that has left. */
const unanswered = new WeakSet<object>();

/** One job; the id is what it is about, and what a queue takes once while it waits or is at work. */
export interface DueJob<D> {
  jobId: string;
  data: D;
}

/** What of BullMQ's Queue is needed. */
interface JobQueue<D> {
  addBulk(jobs: { name: string; data: D; opts: { jobId: string; removeOnComplete: boolean; removeOnFail: boolean } }[]): Promise<unknown>;
}

/** Whether the queue took them; false where Redis does not answer in half a second, or has not answered the call before. */
export async function handToQueue<D>(queue: JobQueue<D>, name: string, jobs: readonly DueJob<D>[]): Promise<boolean> {
  if (jobs.length === 0) return true;
  if (unanswered.has(queue)) return false;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => {
      unanswered.add(queue);
      resolve(false);
    }, QUEUE_TIMEOUT_MS);
  });
  // One that failed or is done must not keep its name: it may be due again.
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

/** A job's work as a span of its own. */
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

import { inSpan, SpanKind } from '@classroom/platform';

/** Longer than that Redis is away for us: what is due is then done where it was found. */
const QUEUE_PATIENCE_MS = 500;

/** One job; the id is what it is about, and what a queue takes once while it waits or is at work. */
export interface DueJob<D> {
  jobId: string;
  data: D;
}

/** What of BullMQ's Queue is needed. */
interface JobQueue<D> {
  addBulk(jobs: { name: string; data: D; opts: { jobId: string; removeOnComplete: boolean; removeOnFail: boolean } }[]): Promise<unknown>;
}

/** Whether the queue took them; false where Redis does not answer in half a second. */
export async function handToQueue<D>(queue: JobQueue<D>, name: string, jobs: readonly DueJob<D>[]): Promise<boolean> {
  if (jobs.length === 0) return true;
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), QUEUE_PATIENCE_MS)));
  // One that failed or is done must not keep its name: it may be due again.
  const named = jobs.map(({ jobId, data }) => ({ name, data, opts: { jobId, removeOnComplete: true, removeOnFail: true } }));
  const added = queue.addBulk(named).then(() => true);
  return Promise.race([added, patience])
    .catch(() => false)
    .finally(() => clearTimeout(timer));
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

import type { z } from 'zod';

/** A queue in Redis and the data of its jobs: ids only. During an upgrade, old and new workers of a service process each other's jobs. */
export interface JobContract<D extends z.ZodType = z.ZodType> {
  readonly queue: string;
  readonly data: D;
  /** Identifies the subject of a job: a queue accepts a key only once while a job with it waits or runs. */
  keyOf(data: z.infer<D>): string;
}

export type JobData<C extends JobContract> = z.infer<C['data']>;

export const defineJob = <D extends z.ZodType>(contract: JobContract<D>): JobContract<D> => contract;

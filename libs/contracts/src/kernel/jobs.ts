import type { z } from 'zod';

/** A queue in Redis and what its jobs carry: ids only. While a service is upgraded its old and its new workers take each other's. */
export interface JobContract<D extends z.ZodType = z.ZodType> {
  readonly queue: string;
  readonly data: D;
}

export type JobData<C extends JobContract> = z.infer<C['data']>;

export const defineJob = <D extends z.ZodType>(contract: JobContract<D>): JobContract<D> => contract;

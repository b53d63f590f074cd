import { transcoding, type JobData } from '@classroom/contracts';

export const TRANSCODING_QUEUE = transcoding.queue;
export type TranscodingJob = JobData<typeof transcoding>;

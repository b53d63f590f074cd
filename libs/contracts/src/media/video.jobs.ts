import { z } from 'zod';
import { defineJob } from '../kernel/jobs.js';

export const transcoding = defineJob({
  queue: 'transcoding',
  data: z.object({ videoId: z.string() }),
  keyOf: ({ videoId }) => videoId,
});

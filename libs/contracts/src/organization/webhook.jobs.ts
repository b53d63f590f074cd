import { z } from 'zod';
import { defineJob } from '../kernel/jobs.js';

/** Sends all due deliveries of one endpoint. The rows decide which deliveries are due, if any. */
export const webhookDelivery = defineJob({
  queue: 'webhook-delivery',
  data: z.object({ endpointId: z.string() }),
  keyOf: ({ endpointId }) => endpointId,
});

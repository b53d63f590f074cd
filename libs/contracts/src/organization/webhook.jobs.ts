import { z } from 'zod';
import { defineJob } from '../kernel/jobs.js';

/** Everything of one endpoint that is due; which deliveries, and whether, their rows say. */
export const webhookDelivery = defineJob({ queue: 'webhook-delivery', data: z.object({ endpointId: z.string() }) });

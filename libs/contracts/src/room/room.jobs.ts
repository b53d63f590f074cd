import { z } from 'zod';
import { defineJob } from '../kernel/jobs.js';

export const roomSweep = defineJob({ queue: 'room-sweep', data: z.object({ sid: z.string() }), keyOf: ({ sid }) => sid });

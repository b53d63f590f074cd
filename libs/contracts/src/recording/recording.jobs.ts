import { z } from 'zod';
import { defineJob } from '../kernel/jobs.js';

const data = z.object({ recordingKey: z.string() });

export const egressFinalization = defineJob({ queue: 'egress-finalization', data });
export const retentionDeletion = defineJob({ queue: 'retention-deletion', data });

import { z } from 'zod';
import { defineJob } from '../kernel/jobs.js';

const data = z.object({ recordingKey: z.string() });

export const egressFinalization = defineJob({ queue: 'egress-finalization', data });
export const recordingCopy = defineJob({ queue: 'recording-copy', data });
export const retentionDeletion = defineJob({ queue: 'retention-deletion', data });

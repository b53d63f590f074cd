import { z } from 'zod';
import { defineJob } from '../kernel/jobs.js';

const data = z.object({ recordingKey: z.string() });
const keyOf = ({ recordingKey }: z.infer<typeof data>) => recordingKey;

export const egressFinalization = defineJob({ queue: 'egress-finalization', data, keyOf });
export const recordingCopy = defineJob({ queue: 'recording-copy', data, keyOf });
export const retentionDeletion = defineJob({ queue: 'retention-deletion', data, keyOf });

import { z } from 'zod';
import { timestamp } from '../kernel/ids.js';

/** What a room knows of its recording: the state of the highest version. */
export const roomRecording = z.object({
  sid: z.string(),
  egressId: z.string(),
  /** STARTING, ACTIVE, ENDING, COMPLETED, FAILED or ABORTED; consumers tolerate others. */
  status: z.string(),
  version: z.number().int(),
  startedAt: timestamp,
});

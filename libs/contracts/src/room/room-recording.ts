import { z } from 'zod';
import { timestamp } from '../kernel/ids.js';

/** What a room stores about its recording: the state with the highest version. */
export const roomRecording = z.object({
  sid: z.string(),
  egressId: z.string(),
  /** STARTING, ACTIVE, ENDING, COMPLETED, FAILED or ABORTED; consumers have to tolerate other values. */
  status: z.string(),
  version: z.number().int(),
  startedAt: timestamp,
  /** Whether it ended by a pause. */
  isPaused: z.boolean(),
});

import { z } from 'zod';
import { organizationId, roomId } from '../kernel/values.js';
import { defineRpc } from '../kernel/rpc.js';

const service = 'recording' as const;
const ofRoom = z.object({ organizationId, roomId });

export const recordingRpc = {
  /** The object key of a finished recording's file, for the media service to copy. */
  file: defineRpc({
    service,
    rpc: 'recording.file',
    callers: ['media'],
    input: ofRoom.extend({ recordingId: z.string() }),
    output: z.object({
      objectKey: z.string(),
      fileName: z.string(),
      title: z.string(),
      size: z.number().int(),
      duration: z.number().int(),
    }),
    errors: ['ROOM_NOT_FOUND', 'RECORDING_NOT_FOUND', 'RECORDING_IN_PROGRESS', 'RECORDING_EXPIRED'],
  }),
};

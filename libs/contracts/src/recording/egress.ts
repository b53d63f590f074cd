import { z } from 'zod';

const nanoseconds = z.union([z.string(), z.number()]).transform(String);

/** The fields of LiveKit's egress webhooks that we read (JSON of the protobuf: int64 as strings, times in nanoseconds). */
export const egressInfo = z.object({
  egressId: z.string(),
  roomName: z.string().default(''),
  status: z
    .enum([
      'EGRESS_STARTING',
      'EGRESS_ACTIVE',
      'EGRESS_ENDING',
      'EGRESS_COMPLETE',
      'EGRESS_FAILED',
      'EGRESS_ABORTED',
      'EGRESS_LIMIT_REACHED',
    ])
    .default('EGRESS_STARTING'),
  startedAt: nanoseconds.default('0'),
  endedAt: nanoseconds.default('0'),
  updatedAt: nanoseconds.default('0'),
  error: z.string().default(''),
  /** The request. Its path identifies an egress whose id never reached us. */
  roomComposite: z.object({ fileOutputs: z.array(z.object({ filepath: z.string().default('') })).default([]) }).optional(),
  fileResults: z
    .array(
      z.object({
        filename: z.string().default(''),
        startedAt: nanoseconds.default('0'),
        endedAt: nanoseconds.default('0'),
        duration: nanoseconds.default('0'),
        size: nanoseconds.default('0'),
        location: z.string().default(''),
      }),
    )
    .default([]),
});
export type EgressInfo = z.infer<typeof egressInfo>;

export const egressWebhook = z.object({
  id: z.string(),
  event: z.enum(['egress_started', 'egress_updated', 'egress_ended']),
  egressInfo,
});
export type EgressWebhook = z.infer<typeof egressWebhook>;

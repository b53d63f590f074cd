import { z } from 'zod';
import { defineEvent } from '../kernel/events.js';

const data = z.object({
  organizationId: z.string(),
  videoId: z.string(),
  title: z.string(),
  /** Seconds; null if the video failed before its duration was known. */
  duration: z.number().int().nullable(),
  message: z.string().nullable(),
});

export const videoCompleted = defineEvent({ service: 'media', noun: 'video', happened: 'completed', data });
export const videoFailed = defineEvent({ service: 'media', noun: 'video', happened: 'failed', data });

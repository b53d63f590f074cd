import { z } from 'zod';
import type { WebhookAnswer } from '../webhooks/post-webhook.js';

const answered = z.object({ allow: z.boolean() });

/** What a backend answered: whether the participant may join. Undefined if it did not, or not in a way that can be understood. */
export function verdictOf({ error, responseBody }: Pick<WebhookAnswer, 'error' | 'responseBody'>): boolean | undefined {
  if (error !== null || responseBody === null) return undefined;
  try {
    return answered.safeParse(JSON.parse(responseBody)).data?.allow;
  } catch {
    return undefined;
  }
}

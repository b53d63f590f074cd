import { z } from 'zod';

/** How an RPC opens a text stream: the reader sends its inbox and gets back a control subject (see messaging's protocol). */
export const streamOpening = z.object({ inbox: z.string().regex(/^_INBOX\.[A-Za-z0-9]+$/) });
export const streamStarted = z.object({ control: z.string() });

import { z } from 'zod';

const MAX_GIB = 1_000_000;
const MAX_MINUTES = 100_000_000;

const GIB_TEXT =
  'GiB that the organization’s videos and documents may occupy: uploads with the size that they declare, from their creation on, and the files that are made of them';
const MINUTES_TEXT = 'Minutes of videos that may be transcoded in a calendar month (UTC); each video counts once, with its length';

/** What an operator sets. Null returns to the value of the installation. */
export const quotaChanges = z.object({
  videoGib: z
    .number()
    .int()
    .min(0)
    .max(MAX_GIB)
    .nullish()
    .describe(`${GIB_TEXT}. 0 to ${MAX_GIB.toLocaleString('en-US')}. Null: the value of the installation.`),
  videoMinutes: z
    .number()
    .int()
    .min(0)
    .max(MAX_MINUTES)
    .nullish()
    .describe(`${MINUTES_TEXT}. 0 to ${MAX_MINUTES.toLocaleString('en-US')}. Null: the value of the installation.`),
});
export type QuotaChanges = z.infer<typeof quotaChanges>;

/** What the organization may use of what all organizations share. */
export const quotas = z.object({
  videoGib: z.number().int().nullable().describe(`${GIB_TEXT}; null: the value of the installation.`),
  videoMinutes: z.number().int().nullable().describe(`${MINUTES_TEXT}; null: the value of the installation.`),
});
export type Quotas = z.infer<typeof quotas>;

/** @param set what an operator has set */
export const quotasOf = (set: QuotaChanges | null): Quotas => ({
  videoGib: set?.videoGib ?? null,
  videoMinutes: set?.videoMinutes ?? null,
});

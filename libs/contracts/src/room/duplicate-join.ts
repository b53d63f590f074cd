import { z } from 'zod';

/** What happens when a participant who is in class joins once more. */
export const duplicateJoin = z.enum(['replace', 'refuse']);
export type DuplicateJoin = z.infer<typeof duplicateJoin>;

export const DUPLICATE_JOIN =
  'What happens when a participant who is in class joins from another device. `replace`: the new device replaces the other. `refuse`: the new one gets `ALREADY_CONNECTED` as long as the other is connected; the token then opens sessions only and does not connect to LiveKit by itself.';

export const shownDuplicateJoin = duplicateJoin.default('replace').meta({ 'x-extensible': true }).describe(DUPLICATE_JOIN);

import { z } from 'zod';
import { NAMES } from '../kernel/reference.js';

/** Who may write, and who reads it. Teachers, moderators and admins may always write, and everyone reads what they write. */
export const CHAT_MODES = ['ALL', 'TEACHERS', 'OFF'] as const;

const mode = z.enum(CHAT_MODES);
const slowModeSeconds = z.number().int().min(0).max(3_600);

const MODE =
  '`ALL`: students write to everyone. `TEACHERS`: students write to the teachers, moderators and admins; no other student gets it. `OFF`: students do not write. Teachers, moderators and admins always write to everyone.';
const SLOW_MODE =
  'Seconds that a student waits after a message before the next one, 0 to 3,600; 0: no wait. Teachers, moderators and admins do not wait.';

export const newChatSettings = z.object({
  mode: mode.optional().describe(`${MODE} Default: \`ALL\`.`),
  slowModeSeconds: slowModeSeconds.optional().describe(`${SLOW_MODE} Default: 0.`),
});

export const changedChatSettings = z.object({
  mode: mode.optional().describe(MODE),
  slowModeSeconds: slowModeSeconds.optional().describe(SLOW_MODE),
});

export const chatSettings = z
  .object({
    mode: mode.meta({ 'x-extensible': true }).describe(MODE),
    slowModeSeconds: z.number().int().describe(SLOW_MODE),
  })
  .register(NAMES, { id: 'ChatSettings', description: 'Who may write in the chat of a class, and how often.' });
export type ChatSettings = z.infer<typeof chatSettings>;

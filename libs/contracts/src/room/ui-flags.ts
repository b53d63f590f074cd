import { z } from 'zod';
import { NAMES } from '../kernel/names.js';

const UI = 'What the class page leaves out for one participant. It only concerns the display: `permissions` are what the service enforces.';

const flags = {
  hideChat: z.boolean().optional().describe('No chat.'),
  hideParticipants: z.boolean().optional().describe('No list of participants.'),
  hidePolls: z.boolean().optional().describe('No polls.'),
  hideLobby: z.boolean().optional().describe('No lobby, whatever `customization.showLobby` says.'),
};

export const uiFlags = z.object(flags).describe(`${UI} The latest token of a participant counts.`);
export type UiFlags = z.infer<typeof uiFlags>;

export const shownUiFlags = z.object(flags).register(NAMES, { id: 'UiFlags', description: UI });

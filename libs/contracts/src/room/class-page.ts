import { z } from 'zod';
import { NAMES } from '../kernel/reference.js';

/** How the class page looks: what the backend gave, and the defaults. */
export const shownCustomization = z.object({
  showLobby: z.boolean().describe('Whether the page begins with a lobby.'),
  showVideoControls: z.boolean().describe('Whether the controls of camera, microphone, screen share and layout are shown.'),
  theme: z.enum(['light', 'dark', 'auto']).describe('Theme of the page; `auto` for what the device has.'),
});
export type ShownCustomization = z.infer<typeof shownCustomization>;

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

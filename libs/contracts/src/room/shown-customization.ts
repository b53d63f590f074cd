import { z } from 'zod';

/** How the class page looks: what the backend gave, and the defaults. */
export const shownCustomization = z.object({
  showLobby: z.boolean().describe('Whether the page begins with a lobby.'),
  showVideoControls: z.boolean().describe('Whether the controls of camera, microphone, screen share and layout are shown.'),
  theme: z.enum(['light', 'dark', 'auto']).describe('Theme of the page; `auto` for what the device has.'),
});
export type ShownCustomization = z.infer<typeof shownCustomization>;

import type { ShownCustomization } from '@classroom/contracts';
import type { Room } from './room.js';

export const toShownCustomization = ({ customization }: Pick<Room, 'customization'>): ShownCustomization => {
  const { showLobby = true, showVideoControls = true, theme } = customization;
  return { showLobby, showVideoControls, theme: theme === 'light' || theme === 'dark' ? theme : 'auto' };
};

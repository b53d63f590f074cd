import type { Feature } from '../app/feature.js';
import { LobbyWatch } from './lobby.js';

/** The page before the class. */
export const lobby: Feature = { Part: LobbyWatch, screens: { lobby: async () => (await import('./Lobby.js')).Lobby } };

import type { Feature } from '../app/feature.js';
import { LobbyWatch } from './lobby.js';
import { Opening } from './opening.js';
import { Waiting } from './waiting.js';

/** The time before the room opens by its schedule. */
export const opening: Feature = {
  Part: Opening,
  screens: { opening: async () => (await import('./OpeningCard.js')).OpeningCard },
};

/** The page before the class. */
export const lobby: Feature = { Part: LobbyWatch, screens: { lobby: async () => (await import('./Lobby.js')).Lobby } };

/** The waiting room. Who lets people in sees it in the list of people. */
export const waiting: Feature = {
  Part: Waiting,
  screens: { waiting: () => import('./WaitingRoom.js').then(({ WaitingRoom }) => WaitingRoom) },
};

import type { Feature } from '../app/feature.js';
import { Waiting } from './waiting.js';

/** The waiting room. Who lets people in sees it in the list of people. */
export const waiting: Feature = {
  Part: Waiting,
  screens: { waiting: () => import('./WaitingRoom.js').then(({ WaitingRoom }) => WaitingRoom) },
};

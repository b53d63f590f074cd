import type { Feature } from '../app/feature.js';
import { Opening } from './opening.js';

/** The time before the room opens by its schedule. */
export const opening: Feature = { Part: Opening, screens: { opening: async () => (await import('./OpeningCard.js')).OpeningCard } };

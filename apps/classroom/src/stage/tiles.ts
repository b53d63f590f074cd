import type { Track } from 'livekit-client';
import type { Person } from '../media/person.js';

/** A tile on the stage: a face or a shared screen. */
export interface StageTile {
  key: string;
  person: Person;
  isScreen: boolean;
  track: Track | undefined;
}

export const screenKey = (uid: string) => `${uid}/screen`;

/**
 * The faces on the stage, in the order of joining: people who may publish or do so, and a pinned person. Empty until anyone
 * publishes or is pinned. The people panel lists the others.
 */
export function facesOf(people: readonly Person[], pinned: string | undefined): StageTile[] {
  if (!people.some(({ isPublishing, uid }) => isPublishing || uid === pinned)) return [];
  const shown = people.filter(({ mayPublish, isPublishing, uid }) => mayPublish || isPublishing || uid === pinned);
  return shown.map((person) => ({ key: person.uid, person, isScreen: false, track: person.camera }));
}

/** The shared screens; the newest is last. */
export function screensOf(people: readonly Person[]): StageTile[] {
  return people
    .filter(({ screen }) => screen)
    .map((person) => ({ key: screenKey(person.uid), person, isScreen: true, track: person.screen }));
}

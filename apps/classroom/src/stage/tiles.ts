import type { Track } from 'livekit-client';
import type { Person } from '../media/people.js';

/** A tile on the stage: a face or a shared screen. */
export interface StageTile {
  key: string;
  person: Person;
  isScreen: boolean;
  track: Track | undefined;
}

export const screenKey = (uid: string) => `${uid}/screen`;

const isChosen = ({ uid, spotlitAt }: Person, pinned: string | undefined) => uid === pinned || spotlitAt > 0;
const hasFace = (person: Person, pinned: string | undefined) => person.mayPublish || person.isPublishing || isChosen(person, pinned);

/**
 * The faces on the stage, in the order of joining: people who may publish or do so, and whom the user pinned or a teacher shows
 * to everyone. Empty until anyone publishes or is chosen. `seesListeners`: a participant who would only see themselves sees everyone.
 */
export function facesOf(people: readonly Person[], pinned: string | undefined, seesListeners = false): StageTile[] {
  const toFace = (person: Person): StageTile => ({ key: person.uid, person, isScreen: false, track: person.camera });
  const shown = people.filter((person) => hasFace(person, pinned));
  if (seesListeners && people.length > 1 && shown.every(({ isLocal }) => isLocal)) return people.map(toFace);
  return people.some((person) => person.isPublishing || isChosen(person, pinned)) ? shown.map(toFace) : [];
}

/** Those who have no face on the stage, in the order of joining. */
export function listenersOf(people: readonly Person[], pinned: string | undefined, seesListeners: boolean): Person[] {
  const faces = new Set(facesOf(people, pinned, seesListeners).map(({ key }) => key));
  return faces.size === 0 ? [] : people.filter(({ uid, mayPublish }) => !mayPublish && !faces.has(uid));
}

/** The shared screens; the newest is last. */
export function screensOf(people: readonly Person[]): StageTile[] {
  return people
    .filter(({ screen }) => screen)
    .map((person) => ({ key: screenKey(person.uid), person, isScreen: true, track: person.screen }));
}

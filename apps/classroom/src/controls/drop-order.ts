import type { Action } from './action.js';

/** What leaves a bar that is too narrow, first to last. Who teaches shares, asks and records more often than they raise a hand. */
const OF_TEACHERS = ['layout', 'hand', 'reactions', 'tutor', 'record', 'polls', 'share'];
const OF_STUDENTS = ['layout', 'polls', 'share', 'reactions', 'tutor', 'record'];

/** @returns undefined for an action that stays */
export function rankOf(id: string, teaches: boolean): number | undefined {
  const rank = (teaches ? OF_TEACHERS : OF_STUDENTS).indexOf(id);
  return rank < 0 ? undefined : rank;
}

export const dropOrder = (actions: readonly Pick<Action, 'id' | 'rank'>[]): string[] =>
  actions
    .flatMap(({ id, rank }) => (rank === undefined ? [] : [{ id, rank }]))
    .sort((a, b) => a.rank - b.rank)
    .map(({ id }) => id);

import type { Action } from '../app/feature.js';
import { useEffect, useLayoutEffect, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';

/** What leaves a bar that is too narrow, first to last. Who teaches shares, asks and records more often than they raise a hand. */
const OF_TEACHERS = ['layout', 'hand', 'reactions', 'tutor', 'record', 'polls', 'board', 'share'];
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

/**
 * The ids of the actions that do not fit into the bar. They are found by measuring: each time that the bar has another width or other controls, all
 * are laid out, and then one after the other leaves it, before anything is painted.
 */
export function useDropped(bar: RefObject<HTMLElement | null>, actions: readonly Action[]): ReadonlySet<string> {
  const order = dropOrder(actions);
  const key = actions.map(({ id, label, otherLabel, rank }) => [id, label, otherLabel, rank].join()).join(';');
  const [state, setState] = useState({ key, count: 0 });
  const count = state.key === key ? state.count : 0;
  useLayoutEffect(() => {
    const { current } = bar;
    const isTooNarrow = current !== null && current.scrollWidth > current.clientWidth;
    if (isTooNarrow && count < order.length) setState({ key, count: count + 1 });
  }, [bar, key, state, count, order.length]);
  useEffect(() => {
    const { current } = bar;
    if (!current) return undefined;
    const measure = () => flushSync(() => setState({ key: '', count: 0 }));
    let width = current.clientWidth;
    const observer = new ResizeObserver(() => {
      if (current.clientWidth === width) return;
      width = current.clientWidth;
      measure();
    });
    observer.observe(current);
    document.fonts.addEventListener('loadingdone', measure);
    return () => {
      observer.disconnect();
      document.fonts.removeEventListener('loadingdone', measure);
    };
  }, [bar]);
  return new Set(order.slice(0, count));
}

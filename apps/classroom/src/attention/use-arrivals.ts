import { useEffect, useRef, useState } from 'react';
import { useApp, usePeople } from '../app/context.js';
import { arrivedSince } from './unseen.js';

/** How long the names stay after the last of them came, in milliseconds. */
const SHOWN_MS = 8_000;

/** The names of those who have just come, the earliest first. */
export function useArrivals(): readonly string[] {
  const people = usePeople((state) => state.people);
  // During a reconnection everyone leaves and returns.
  const isIn = useApp(({ state }) => state === 'connected');
  const known = useRef<ReadonlySet<string>>(undefined);
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    if (!isIn) return;
    const arrived = arrivedSince(known.current, people);
    known.current = new Set(people.map(({ uid }) => uid));
    if (arrived.length > 0) setNames((before) => [...before, ...arrived.map(({ name }) => name)]);
  }, [people, isIn]);
  useEffect(() => {
    if (names.length === 0) return undefined;
    const timer = setTimeout(() => setNames([]), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [names]);
  return names;
}

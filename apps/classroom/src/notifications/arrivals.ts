import { useEffect, useRef, useState } from 'react';
import { useApp, usePeople } from '../app/context.js';

/** Those that were not put aside. If the same person waits again later, they have another key. */
export const unseen = <T>(all: readonly T[], keyOf: (one: T) => string, aside: ReadonlySet<string>): T[] =>
  all.filter((one) => !aside.has(keyOf(one)));

interface Present {
  uid: string;
  name: string;
  isLocal: boolean;
}

/** Who is there now and was not before. The first list is of those who were there first. */
export const arrivedSince = (known: ReadonlySet<string> | undefined, people: readonly Present[]): Present[] =>
  known ? people.filter(({ uid, isLocal }) => !isLocal && !known.has(uid)) : [];

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

import { createContext, useContext, useSyncExternalStore, useCallback, useState, useEffect } from 'react';
import type { Permissions } from '@classroom/contracts';
import type { ClassroomApi } from '../session/session.js';
import type { ClassStore } from '../class/class-store.js';
import type { Person } from '../media/people.js';
import type { ClassSnapshot } from '../class/snapshot.js';

/** What all parts of the panel use. */
export interface PanelContextValue {
  store: ClassStore;
  api: ClassroomApi;
  permissions: Permissions;
  self: Person;
  /** How many people in class may be asked: the students. */
  voters: number;
  /** The server's clock, in milliseconds. */
  now(): number;
}

export const PanelContext = createContext<PanelContextValue | undefined>(undefined);

export function usePanel(): PanelContextValue {
  const value = useContext(PanelContext);
  if (!value) throw new Error('outside of a panel');
  return value;
}

/** Renders again only if this part changes: a reaction does not render the chat again. */
export function useClassField<K extends keyof ClassSnapshot>(store: ClassStore, part: K): ClassSnapshot[K] {
  return useSyncExternalStore(store.subscribe, () => store.getSnapshot()[part]);
}

const drafts = new WeakMap<ClassStore, Map<string, unknown>>();

/** State that survives closing the panel, so that a half-written message is not lost. */
export function useDraft<T>(store: ClassStore, key: string, empty: T): [T, (value: T) => void] {
  const [value, setValue] = useState(() => (drafts.get(store)?.get(key) ?? empty) as T);
  const save = useCallback(
    (next: T) => {
      const saved = drafts.get(store) ?? new Map<string, unknown>();
      drafts.set(store, saved.set(key, next));
      setValue(next);
    },
    [store, key],
  );
  return [value, save];
}

/** Renders again at this interval, in milliseconds. */
export function useRerenderEvery(everyMs: number): void {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}

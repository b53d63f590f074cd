import { useSyncExternalStore } from 'react';
import type { ClassStore } from '../../class/class-store.js';
import type { ClassSnapshot } from '../../class/snapshot.js';

export function useClassState(store: ClassStore): ClassSnapshot {
  return useSyncExternalStore(store.subscribe, store.getSnapshot);
}

/** Renders again only if this part changes: a reaction does not render the chat again. */
export function useClassField<K extends keyof ClassSnapshot>(store: ClassStore, part: K): ClassSnapshot[K] {
  return useSyncExternalStore(store.subscribe, () => store.getSnapshot()[part]);
}

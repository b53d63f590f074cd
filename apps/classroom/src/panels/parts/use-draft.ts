import { useCallback, useState } from 'react';
import type { ClassStore } from '../../class/class-store.js';

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

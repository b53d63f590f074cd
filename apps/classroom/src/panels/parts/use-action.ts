import { useCallback, useRef, useState } from 'react';
import type { ClassStore } from '../../class/class-store.js';
import { Refusal } from '../../session/refusal.js';

export interface Action {
  isBusy: boolean;
  failure: Refusal | undefined;
  /** Resolves with whether the action succeeded; false also if another one is in progress. */
  run(deed: () => Promise<unknown>): Promise<boolean>;
  forget(): void;
}

/** Runs one action at a time and keeps its failure. `store`: the class state that the action changes. */
export function useAction(store?: ClassStore): Action {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Refusal>();
  // State updates too late to block the second click of a double click.
  const underWay = useRef(false);
  const run = useCallback(
    async (deed: () => Promise<unknown>) => {
      if (underWay.current) return false;
      underWay.current = true;
      setBusy(true);
      setFailure(undefined);
      const before = store?.getSnapshot().version ?? 0;
      try {
        await deed();
        store?.expectChange(before);
        return true;
      } catch (error) {
        setFailure(error instanceof Refusal ? error : new Refusal('NO_ANSWER', null, [], { cause: error }));
        return false;
      } finally {
        underWay.current = false;
        setBusy(false);
      }
    },
    [store],
  );
  return { isBusy, failure, run, forget: useCallback(() => setFailure(undefined), []) };
}

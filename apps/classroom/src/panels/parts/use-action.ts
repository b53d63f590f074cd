import { useCallback, useRef, useState } from 'react';
import type { ClassStore } from '../../class/class-store.js';
import { Refusal } from '../../session/refusal.js';

export interface Action {
  isBusy: boolean;
  failure: Refusal | undefined;
  /** Whether it went through; false as well while another is under way. */
  run(deed: () => Promise<unknown>): Promise<boolean>;
  forget(): void;
}

/** One deed at a time, and how it was refused. `store`: of the class that it changes. */
export function useAction(store?: ClassStore): Action {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Refusal>();
  // State is too late for the second click of a double click.
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

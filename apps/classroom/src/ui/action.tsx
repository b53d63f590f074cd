import { useCallback, useRef, useState } from 'react';
import type { ClassStore } from '../class/class-store.js';
import { ApiError, type ApiErrorCode } from '@classroom/page/api-error';
import { useTranslation } from '../i18n/index.js';

export interface Action {
  isBusy: boolean;
  failure: ApiError | undefined;
  /** Resolves with whether the action succeeded; false also if another one is in progress. */
  runAction(action: () => Promise<unknown>): Promise<boolean>;
  clearFailure(): void;
}

/** Runs one action at a time and keeps its failure. `store`: the class state that the action changes. */
export function useAction(store?: ClassStore): Action {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError>();
  // State updates too late to block the second click of a double click.
  const isRunning = useRef(false);
  const runAction = useCallback(
    async (action: () => Promise<unknown>) => {
      if (isRunning.current) return false;
      isRunning.current = true;
      setBusy(true);
      setFailure(undefined);
      const before = store?.getSnapshot().version ?? 0;
      try {
        await action();
        store?.expectChange(before);
        return true;
      } catch (error) {
        setFailure(error instanceof ApiError ? error : new ApiError('NO_ANSWER', null, [], { cause: error }));
        return false;
      } finally {
        isRunning.current = false;
        setBusy(false);
      }
    },
    [store],
  );
  return { isBusy, failure, runAction, clearFailure: useCallback(() => setFailure(undefined), []) };
}

/** Shows why an action failed. The status region exists before the text appears, so that screen readers announce the text. */
export function FailureLine({ code }: { code: ApiErrorCode | undefined }) {
  const { t } = useTranslation('panels');
  return (
    <p className="failure-line" role="status">
      {code && t([`error.${code}`, 'error.OTHER'])}
    </p>
  );
}

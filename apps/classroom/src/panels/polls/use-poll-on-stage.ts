import { useCallback, useEffect, useState } from 'react';
import type { Poll } from '@classroom/contracts';

/** How long a final result is shown, in milliseconds. */
const RESULT_MS = 20_000;

/** The newest open poll that the participant has not dismissed; after it closes, its result for a while. */
export function usePollOnStage(polls: readonly Poll[]): { poll: Poll | undefined; dismiss(): void } {
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const [lastShown, setLastShown] = useState<string>();
  const open = polls.findLast(({ pollId, status }) => status === 'open' && !dismissed.has(pollId));
  const poll = open ?? polls.find(({ pollId }) => pollId === lastShown && !dismissed.has(pollId));
  const pollId = poll?.pollId;
  const dismiss = useCallback(() => {
    if (pollId) setDismissed((dismissed) => new Set(dismissed).add(pollId));
  }, [pollId]);

  useEffect(() => setLastShown(pollId), [pollId]);
  const isResult = poll?.status === 'closed';
  useEffect(() => {
    if (!isResult) return undefined;
    const timer = setTimeout(dismiss, RESULT_MS);
    return () => clearTimeout(timer);
  }, [isResult, dismiss]);
  return { poll, dismiss };
}

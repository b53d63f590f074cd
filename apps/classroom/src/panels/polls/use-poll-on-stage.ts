import { useCallback, useEffect, useState } from 'react';
import type { Poll } from '@classroom/contracts';

/** How long a final result is shown, in milliseconds. */
const RESULT_MS = 20_000;

/** The newest open poll that the participant has not dismissed; after it closes, its result for a while. */
export function usePollOnStage(polls: readonly Poll[]): { poll: Poll | undefined; putAside(): void } {
  const [aside, setAside] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string>();
  const open = polls.findLast(({ pollId, status }) => status === 'open' && !aside.has(pollId));
  const poll = open ?? polls.find(({ pollId }) => pollId === last && !aside.has(pollId));
  const pollId = poll?.pollId;
  const putAside = useCallback(() => {
    if (pollId) setAside((aside) => new Set(aside).add(pollId));
  }, [pollId]);

  useEffect(() => setLast(pollId), [pollId]);
  const isResult = poll?.status === 'closed';
  useEffect(() => {
    if (!isResult) return undefined;
    const timer = setTimeout(putAside, RESULT_MS);
    return () => clearTimeout(timer);
  }, [isResult, putAside]);
  return { poll, putAside };
}

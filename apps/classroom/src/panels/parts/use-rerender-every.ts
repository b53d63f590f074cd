import { useEffect, useState } from 'react';

/** Renders again at this interval, in milliseconds. */
export function useRerenderEvery(everyMs: number): void {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}

import { timeout, TimeoutStrategy } from 'cockatiel';

/** @throws where `work` takes longer than so many milliseconds; it is not ended by that */
export const within = <T>(ms: number, work: Promise<T>): Promise<T> => timeout(ms, TimeoutStrategy.Aggressive).execute(() => work);

import { timeout, TimeoutStrategy } from 'cockatiel';

/** @throws if `work` takes longer than `ms` milliseconds; `work` itself continues */
export const within = <T>(ms: number, work: Promise<T>): Promise<T> => timeout(ms, TimeoutStrategy.Aggressive).execute(() => work);

import { persist as persistUntil, type PersistOptions } from '@virtual-classroom/embed/persist';

/** Tries again at once when the network comes back. */
export const persist = <T>(work: () => Promise<T>, options: PersistOptions) => persistUntil(work, { ...options, network: window });

import { persist as persistUntil, type PersistOptions } from '@virtual-classroom/embed/persist';

/** Retries with pauses, and immediately when the network is back. */
export const persist = <T>(work: () => Promise<T>, options: PersistOptions) => persistUntil(work, { ...options, network: window });

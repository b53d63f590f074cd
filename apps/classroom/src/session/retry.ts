import { retryWithBackoff, type RetryOptions } from '@virtual-classroom/embed/retry';

/** Retries with pauses, and immediately when the network is back. */
export const retryOnline = <T>(operation: () => Promise<T>, options: RetryOptions) =>
  retryWithBackoff(operation, { ...options, network: window });

import { ConnectionError, VirtualClassroomError } from './errors.js';

const MIN_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** If the service asks for a longer wait, in milliseconds, the call fails instead. The service's rate-limit windows are one minute long. */
const MAX_RETRY_AFTER_MS = 90_000;

/** @returns milliseconds to wait before the retry; undefined if a retry would not help */
export function retryDelay(failure: unknown, attempt: number): number | undefined {
  if (!isRetryable(failure)) return undefined;
  const backOff = Math.min(MIN_DELAY_MS * 2 ** attempt, MAX_DELAY_MS);
  // Half of the delay is random, so that callers that failed together do not retry together.
  const jittered = backOff * (0.5 + Math.random() / 2);
  const requestedMs = failure instanceof VirtualClassroomError ? failure.retryAfterMs : undefined;
  if (requestedMs === undefined) return jittered;
  return requestedMs > MAX_RETRY_AFTER_MS ? undefined : requestedMs + jittered;
}

function isRetryable(failure: unknown): boolean {
  if (failure instanceof ConnectionError) return true;
  if (!(failure instanceof VirtualClassroomError)) return false;
  const { status, code } = failure;
  // A recorder becomes free when another class's recording ends, which may take long: the caller decides when to retry.
  if (code === 'RECORDER_BUSY') return false;
  return status === 429 || (status >= 502 && status <= 504) || (code === 'IDEMPOTENCY_CONFLICT' && isInProgress(failure));
}

/** The service is still processing the previous attempt, and states when its answer should be ready. */
const isInProgress = ({ retryAfterMs }: VirtualClassroomError) => retryAfterMs !== undefined;

/** @throws the signal's reason when it fires */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      // oxlint-disable-next-line prefer-promise-reject-errors -- The caller that aborts chooses what is thrown.
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

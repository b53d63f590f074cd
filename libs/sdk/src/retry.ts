import { ConnectionError, VirtualClassroomError } from './errors.js';

const FIRST_MS = 500;
const LONGEST_MS = 8_000;
/** If the service asks for a longer wait, in milliseconds, the call fails instead. The service's rate-limit windows are one minute long. */
const LONGEST_WAIT_MS = 90_000;

/** @returns milliseconds to wait before the retry; undefined if a retry would not help */
export function delayBefore(failure: unknown, attempt: number): number | undefined {
  if (!isPassing(failure)) return undefined;
  const backOff = Math.min(FIRST_MS * 2 ** attempt, LONGEST_MS);
  // Half of the delay is random, so that callers that failed together do not retry together.
  const jittered = backOff * (0.5 + Math.random() / 2);
  const asked = failure instanceof VirtualClassroomError ? failure.retryAfterMs : undefined;
  if (asked === undefined) return jittered;
  return asked > LONGEST_WAIT_MS ? undefined : asked + jittered;
}

function isPassing(failure: unknown): boolean {
  if (failure instanceof ConnectionError) return true;
  if (!(failure instanceof VirtualClassroomError)) return false;
  const { status, code } = failure;
  // A recorder becomes free when another class's recording ends, which may take long: the caller decides when to retry.
  if (code === 'RECORDER_BUSY') return false;
  return status === 429 || (status >= 502 && status <= 504) || (code === 'IDEMPOTENCY_CONFLICT' && isUnderWay(failure));
}

/** The service is still processing the previous attempt, and states when its answer should be ready. */
const isUnderWay = ({ retryAfterMs }: VirtualClassroomError) => retryAfterMs !== undefined;

/** @throws the signal's reason when it fires */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
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

import { ConnectionError, VirtualClassroomError } from './errors.js';

const FIRST_MS = 500;
const LONGEST_MS = 8_000;
/** The service's own windows are a minute long. Whoever is told to wait longer should not be kept waiting. */
const LONGEST_WAIT_MS = 90_000;

/** @returns milliseconds to wait before trying again; nothing where that would not help */
export function delayBefore(failure: unknown, attempt: number): number | undefined {
  if (!isPassing(failure)) return undefined;
  const backOff = Math.min(FIRST_MS * 2 ** attempt, LONGEST_MS);
  // Half of it by chance, so that callers who failed together come back apart.
  const jittered = backOff * (0.5 + Math.random() / 2);
  const asked = failure instanceof VirtualClassroomError ? failure.retryAfterMs : undefined;
  if (asked === undefined) return jittered;
  return asked > LONGEST_WAIT_MS ? undefined : asked + jittered;
}

function isPassing(failure: unknown): boolean {
  if (failure instanceof ConnectionError) return true;
  if (!(failure instanceof VirtualClassroomError)) return false;
  const { status, code } = failure;
  // A recorder is free again when another class's recording ends: that is for the caller to wait for.
  if (code === 'RECORDER_BUSY') return false;
  return status === 429 || (status >= 502 && status <= 504) || (code === 'IDEMPOTENCY_CONFLICT' && isUnderWay(failure));
}

/** The attempt before reached the service, which is still at it, and says when its answer should be there. */
const isUnderWay = ({ retryAfterMs }: VirtualClassroomError) => retryAfterMs !== undefined;

/** @throws the signal's reason once it fires */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      // oxlint-disable-next-line prefer-promise-reject-errors -- Whoever aborts chooses what is thrown.
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

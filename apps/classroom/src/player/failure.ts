/** Why the video cannot be shown. A network failure is none of these, because the player retries it. */
export type Failure = 'no-link' | 'expired' | 'missing' | 'unsupported' | 'failed';

/** The failure for an HTTP status. Undefined if a retry may help: no answer (0), or a temporary server error. */
export function toFailure(status: number): Failure | undefined {
  if (status === 401 || status === 403 || status === 410) return 'expired';
  if (status === 404) return 'missing';
  const isRetryable = status === 0 || status === 408 || status === 425 || status === 429 || status >= 500;
  return isRetryable ? undefined : 'failed';
}

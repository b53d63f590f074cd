/** Why there is nothing to see. A network that is away is none of these: it is waited for. */
export type Failure = 'no-link' | 'expired' | 'missing' | 'unsupported' | 'failed';

/** Undefined where trying again may help by itself: no answer, or a server that is in trouble. */
export function failureOfStatus(status: number): Failure | undefined {
  if (status === 401 || status === 403 || status === 410) return 'expired';
  if (status === 404) return 'missing';
  const isPassing = status === 0 || status === 408 || status === 425 || status === 429 || status >= 500;
  return isPassing ? undefined : 'failed';
}

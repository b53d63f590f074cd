/** One answer of the receiver; a connection error has no status. */
export interface Answer {
  status?: number;
  retryAfterSeconds?: number;
}

export interface Outcome {
  attempts: number;
  isDelivered: boolean;
  status?: number;
}

const maxRetries = 4;
const firstWaitMs = 1_000;
const longestWaitMs = 30_000;

/**
 * go-retryablehttp's DefaultRetryPolicy and DefaultBackoff as LiveKit uses them: attempts at 0, 1, 3, 7 and 15 s after a
 * connection error, 429 or 5xx except 501. `Retry-After` is obeyed on 429 and 503, whatever its length. A 4xx is final, and
 * LiveKit counts it as sent.
 */
export async function deliver(
  attempt: () => Promise<Answer>,
  wait: (ms: number) => Promise<void>,
  isAbandoned: () => boolean = () => false,
): Promise<Outcome> {
  for (let attempts = 1; ; attempts++) {
    const answer = await attempt();
    if (!isRetried(answer.status)) return { attempts, isDelivered: true, status: answer.status };
    if (attempts > maxRetries || isAbandoned()) return { attempts, isDelivered: false, status: answer.status };
    await wait(backoff(attempts - 1, answer));
    if (isAbandoned()) return { attempts, isDelivered: false, status: answer.status };
  }
}

function isRetried(status: number | undefined): boolean {
  return status === undefined || status === 429 || (status >= 500 && status !== 501);
}

function backoff(retry: number, answer: Answer): number {
  const honorsRetryAfter = answer.status === 429 || answer.status === 503;
  if (honorsRetryAfter && answer.retryAfterSeconds !== undefined) return answer.retryAfterSeconds * 1000;
  return Math.min(firstWaitMs * 2 ** retry, longestWaitMs);
}

/** All values in milliseconds. */
export interface Limits {
  /** To the first token of one attempt. */
  firstTokenMs: number;
  /** Between two tokens. */
  idleMs: number;
  /** The whole call, with all attempts and the pauses between them. */
  totalMs: number;
}

/** Retries and circuit breaker of a model. */
export interface RetryPolicy {
  /** Attempts after the first one. */
  retries: number;
  /** Milliseconds before the second attempt. The pause doubles before each further one, and a random part adds up to half of it. */
  initialDelayMs: number;
  /** Milliseconds. If a provider asks for a longer pause, the call fails. */
  maxDelayMs: number;
  /** The circuit opens after at least `minimumCalls` calls, if more than half of the last calls failed. It stays open for `halfOpenAfterMs` milliseconds. */
  minimumCalls: number;
  halfOpenAfterMs: number;
}

export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  retries: 2,
  initialDelayMs: 300,
  maxDelayMs: 4_000,
  minimumCalls: 5,
  halfOpenAfterMs: 10_000,
};

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
export interface Patience {
  /** Attempts after the first one. */
  retries: number;
  /** Milliseconds before the second attempt. The pause doubles before each further one, and a random part adds up to half of it. */
  pauseMs: number;
  /** Milliseconds. If a provider asks for a longer pause, the call fails. */
  longestPauseMs: number;
  /** The circuit opens after at least `breakAfter` calls, if more than half of the last calls failed. It stays open for `restMs` milliseconds. */
  breakAfter: number;
  restMs: number;
}

export const PATIENCE: Patience = { retries: 2, pauseMs: 300, longestPauseMs: 4_000, breakAfter: 5, restMs: 10_000 };

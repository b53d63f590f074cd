/** Milliseconds. */
export interface Limits {
  /** To the first word of one attempt. */
  firstTokenMs: number;
  /** Between two words. */
  idleMs: number;
  /** The whole call, all attempts and their pauses included. */
  totalMs: number;
}

/** How a model that fails is treated. */
export interface Patience {
  /** Attempts after the first one. */
  retries: number;
  /** Before the second attempt; twice as long before each further one, and up to half of it longer by chance. */
  pauseMs: number;
  /** A provider that asks for more than this is given up. */
  longestPauseMs: number;
  /** After how many calls, more than half of them failed, a model is left alone, and for how long. */
  breakAfter: number;
  restMs: number;
}

export const PATIENCE: Patience = { retries: 2, pauseMs: 300, longestPauseMs: 4_000, breakAfter: 5, restMs: 10_000 };

/** What the network does to the sound that a person receives. */
export interface Transport {
  /** Lost packets in percent of those that should have arrived. */
  lossPercent: number;
  /** Milliseconds to the media server and back. */
  roundTripMs: number;
  /** Milliseconds that media waits to be played evenly: what jitter costs. */
  bufferMs: number;
}

/** Rating of a connection that adds nothing: codec and network without a fault (ITU-T G.107). */
const PERFECT = 93.2;
/** Delay in milliseconds above which people interrupt each other. */
const NOTICEABLE_DELAY_MS = 177.3;
/** How well the decoder conceals lost packets (the Bpl of G.107): 10 is a speech codec with concealment of random loss. */
const CONCEALMENT = 10;

/**
 * Mean opinion score of speech, 1 (unusable) to 4.4 (perfect), by the E-model of ITU-T G.107 in the simplification of Cole and Rosenbluth:
 * R = 93.2 − delay − loss, with the delay that half the round trip and the buffer make, and the impairment by loss of G.107. Rounded to tenths.
 */
export function mosOf({ lossPercent, roundTripMs, bufferMs }: Transport): number {
  const delayMs = roundTripMs / 2 + bufferMs;
  const byDelay = 0.024 * delayMs + 0.11 * Math.max(0, delayMs - NOTICEABLE_DELAY_MS);
  const byLoss = (95 * lossPercent) / (lossPercent + CONCEALMENT);
  const rating = Math.max(0, PERFECT - byDelay - byLoss);
  const score = 1 + 0.035 * rating + 7e-6 * rating * (rating - 60) * (100 - rating);
  return Math.round(Math.max(1, score) * 10) / 10;
}

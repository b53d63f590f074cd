import type { ChatRequest } from './ai-provider.js';

/**
 * Approximate tokens per character: four Latin letters make one token, letters of other alphabets take two to three times as many tokens,
 * and a Chinese character takes one.
 */
const PER_ASCII = 0.25;
const PER_LETTER = 0.5;
const PER_IDEOGRAPH = 1;
const IDEOGRAPHS_FROM = 0x2e80;
/** Tokens that providers count for a picture of ordinary size. */
const PER_IMAGE = 800;
/** Tokens for the role and the separators of one message. */
const PER_MESSAGE = 4;

/** Not rounded, so that the weights of a text's pieces add up to the weight of the whole text. */
export function tokenWeight(text: string): number {
  let weight = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    weight += code < 0x80 ? PER_ASCII : code < IDEOGRAPHS_FROM ? PER_LETTER : PER_IDEOGRAPH;
  }
  return weight;
}

/** Estimates a text's tokens for providers that report none: never less than a quarter of its characters. */
export const estimateTokens = (text: string): number => Math.ceil(tokenWeight(text));

/** Estimates the tokens of everything that a request sends to the model. */
export function estimateRequest({ instructions, turns, question, image }: ChatRequest): number {
  const texts = [instructions, ...turns.flatMap((turn) => [turn.question, turn.answer]), question];
  const weight = texts.reduce((sum, text) => sum + tokenWeight(text) + PER_MESSAGE, 0);
  return Math.ceil(weight + (image ? PER_IMAGE : 0));
}

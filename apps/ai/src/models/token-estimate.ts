import type { ChatRequest } from './ai-provider.js';

/** Tokens that a character makes, about: four Latin letters are one, other alphabets take two to three times as many, a Chinese sign one. */
const PER_ASCII = 0.25;
const PER_LETTER = 0.5;
const PER_IDEOGRAPH = 1;
const IDEOGRAPHS_FROM = 0x2e80;
/** What providers count for a picture of ordinary size. */
const PER_IMAGE = 800;
/** Roles and separators of one message. */
const PER_MESSAGE = 4;

/** Not rounded, so that the pieces of a text add up to the whole. */
export function tokenWeight(text: string): number {
  let weight = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    weight += code < 0x80 ? PER_ASCII : code < IDEOGRAPHS_FROM ? PER_LETTER : PER_IDEOGRAPH;
  }
  return weight;
}

/** How many tokens a text is, where no provider told: never less than a quarter of its characters. */
export const estimateTokens = (text: string): number => Math.ceil(tokenWeight(text));

/** What a request sends to the model. */
export function estimateRequest({ instructions, turns, question, image }: ChatRequest): number {
  const texts = [instructions, ...turns.flatMap((turn) => [turn.question, turn.answer]), question];
  const weight = texts.reduce((sum, text) => sum + tokenWeight(text) + PER_MESSAGE, 0);
  return Math.ceil(weight + (image ? PER_IMAGE : 0));
}

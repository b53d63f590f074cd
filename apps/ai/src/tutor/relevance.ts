import { estimateTokens } from '../models/token-estimate.js';
import { significantWords } from '../providers/offline/significant-words.js';

export interface Asked {
  question: string;
  answer: string;
}

/** Characters of an answer that is used as an example; the rest of a longer one adds little. */
const MAX_ANSWER_CHARACTERS = 1_200;

/**
 * Selects questions of a class (given newest first): those that share the most words with `question`, then the newest, as many as fit into
 * `tokens`. Returns them oldest first.
 */
export function mostRelevant(asked: readonly Asked[], question: string, tokens: number): Asked[] {
  const words = significantWords(question);
  const scored = asked.map((one, age) => ({ one, age, score: sharedWith(words, one.question) }));
  scored.sort((a, b) => b.score - a.score || a.age - b.age);
  const chosen: typeof scored = [];
  let left = tokens;
  for (const candidate of scored) {
    const answer = candidate.one.answer.slice(0, MAX_ANSWER_CHARACTERS).toWellFormed();
    const weight = estimateTokens(candidate.one.question) + estimateTokens(answer);
    if (weight > left) continue;
    left -= weight;
    chosen.push({ ...candidate, one: { question: candidate.one.question, answer } });
  }
  return chosen.sort((a, b) => b.age - a.age).map(({ one }) => one);
}

/** A page of a document of the class. */
export interface PageText {
  title: string;
  page: number;
  text: string;
}

/** Selects pages that share the most words with `question`, then the first ones, as many as fit into `tokens`. Returns them in their order. */
export function relevantPages(pages: readonly PageText[], question: string, tokens: number): PageText[] {
  const words = significantWords(question);
  const scored = pages.map((one, position) => ({ one, position, score: sharedWith(words, one.text) }));
  scored.sort((a, b) => b.score - a.score || a.position - b.position);
  let left = tokens;
  const chosen = scored.filter(({ one }) => {
    const weight = estimateTokens(one.title) + estimateTokens(one.text);
    const fits = weight <= left;
    if (fits) left -= weight;
    return fits;
  });
  return chosen.sort((a, b) => a.position - b.position).map(({ one }) => one);
}

function sharedWith(words: ReadonlySet<string>, text: string): number {
  let shared = 0;
  for (const word of significantWords(text)) if (words.has(word)) shared += 1;
  return shared;
}

/** The beginning of the text that fits into `tokens`. */
export function fitText(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text;
  let length = Math.floor((text.length * tokens) / estimateTokens(text));
  while (length > 0 && estimateTokens(text.slice(0, length)) > tokens) length = Math.floor(length * 0.9);
  return `${text.slice(0, length).toWellFormed()}…`;
}

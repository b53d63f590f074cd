import { largestOf } from '@classroom/contracts';
import { LABELLED_BY_PAGE, NO_ANSWER_MARKER, type DialogueTurn } from '../../models/ai-provider.js';
import { isQuestion, knownSentences, withoutQuoted, type KnownSentence } from './known-sentences.js';
import { significantWords } from './significant-words.js';

const FROM_MATERIAL = 'No AI model is configured here, so this comes from the class’s own material and from this conversation alone.';
const FOUND_NOTHING =
  'No AI model is configured here: I can only look into the class’s own material and this conversation, and I found nothing about this in them.';
const NOTED =
  'No AI model is configured here, and the class’s own material says nothing about this. I will keep it in mind for this conversation.';
/** The same where the page around the answer says that no model is configured. */
const UNLABELLED_NOTHING = 'I found nothing about this in the class’s own material and this conversation.';
const UNLABELLED_NOTED = 'The class’s own material says nothing about this. I will keep it in mind for this conversation.';
const MAX_SENTENCES = 3;
/** Share of the best score that a sentence needs. A sentence below it is about something else. */
const MIN_RELATIVE_SCORE = 0.6;

/** The answer without a model: quotes the sentences that share the most words with the question. */
export function offlineAnswer(instructions: string, turns: readonly DialogueTurn[], message: string): string {
  const question = withoutQuoted(message);
  const found = mostSimilar(knownSentences(instructions, turns), question);
  const isLabelled = instructions.includes(LABELLED_BY_PAGE);
  if (found.length > 0) return [...(isLabelled ? [] : [FROM_MATERIAL]), ...found.map(quote)].join(' ');
  if (!isQuestion(question)) return isLabelled ? UNLABELLED_NOTED : NOTED;
  const nothing = isLabelled ? UNLABELLED_NOTHING : FOUND_NOTHING;
  return instructions.includes(NO_ANSWER_MARKER) ? `${NO_ANSWER_MARKER} ${nothing}` : nothing;
}

const quote = ({ text, isOwn }: KnownSentence) => (isOwn ? `You told me: “${text}”` : /[\p{L}\p{N}]$/u.test(text) ? `${text}.` : text);

function mostSimilar(known: readonly KnownSentence[], question: string): KnownSentence[] {
  const asked = significantWords(question);
  const words = known.map(({ text }) => significantWords(text));
  const frequency = new Map<string, number>();
  for (const word of words.flatMap((set) => [...set])) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  // A word that occurs in many sentences counts less.
  const scoreOf = (set: Set<string>) =>
    [...set].reduce((sum, word) => sum + (asked.has(word) ? 1 / Math.sqrt(frequency.get(word) ?? 1) : 0), 0);
  const scored = words.map((set, index) => ({ index, score: scoreOf(set) })).filter(({ score }) => score > 0);
  const best = largestOf([0, ...scored.map(({ score }) => score)]);
  const chosen = scored
    .filter(({ score }) => score >= best * MIN_RELATIVE_SCORE)
    .sort((a, b) => b.score - a.score || b.index - a.index)
    .slice(0, MAX_SENTENCES)
    .sort((a, b) => a.index - b.index);
  const texts = new Map(chosen.map(({ index }) => [known[index]?.text, known[index]]));
  return [...texts.values()].filter((sentence) => sentence !== undefined);
}

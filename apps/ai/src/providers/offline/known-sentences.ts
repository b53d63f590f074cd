import type { SpokenTurn } from '../../models/ai-provider.js';
import { SentenceSplitter } from '../../sound/sentences.js';

/** Stands on a line of its own in the instructions, before what may be drawn on. The offline provider quotes nothing else of them. */
export const MATERIAL_HEADING = '# Material';

const startsWithOneOf = (words: string) => new RegExp(`^(?:${words.trim().split(/\s+/).join('|')})(?![\\p{L}])`, 'iu');

/** Instructions without the heading: a sentence that tells the model what to do is nothing to be quoted. */
const RULE = startsWithOneOf(`
  you your you're never always do don['’]t answer reply respond begin start end if when unless use keep be speak refuse only write
  say stay avoid help explain remember treat take make give mention reveal
`);
const QUESTION_WORD = startsWithOneOf(`
  what who whom whose which where when why how is are am was were do does did can could would should will may explain tell describe
  define name list give show help summari[sz]e wer wie wo wann warum weshalb welche\\w* ist sind kann erkläre? nenne?
`);

/** What others of the class asked, up to the next heading: a model may learn from it, but here it would be told word for word. */
const OTHERS_QUESTIONS = /^## Asked\b.*\n(?:(?!#).*(?:\n|$))*/gm;
const HEADING = /^#.*$/gm;
/** Its own words, quoted in an earlier answer. */
const OWN_WORDS = 'No AI model is configured';

export interface KnownSentence {
  text: string;
  /** By the one who asks, earlier in this dialogue. */
  isOwn: boolean;
}

/** What may be quoted: the material and what the asker stated, each in the order in which it was told. */
export function knownSentences(instructions: string, turns: readonly SpokenTurn[]): KnownSentence[] {
  const at = instructions.search(new RegExp(`^${MATERIAL_HEADING}\\s*$`, 'm'));
  const told = at < 0 ? instructions : instructions.slice(at + MATERIAL_HEADING.length);
  const sentences = sentencesOf(told.replaceAll(OTHERS_QUESTIONS, '').replaceAll(HEADING, '')).filter((text) => !text.includes(OWN_WORDS));
  const material = at < 0 ? sentences.filter((text) => !RULE.test(text)) : sentences;
  const own = turns.flatMap(({ question }) => sentencesOf(question));
  return [
    ...material.filter((text) => !text.endsWith('?')).map((text) => ({ text, isOwn: false })),
    ...own.filter((text) => !isQuestion(text)).map((text) => ({ text, isOwn: true })),
  ];
}

export const isQuestion = (text: string) => text.trimEnd().endsWith('?') || QUESTION_WORD.test(text.trim());

function sentencesOf(text: string): string[] {
  const splitter = new SentenceSplitter();
  const pieces = [...splitter.push(text), ...splitter.end()];
  // Bullets, headings and quotation marks belong to the page, not to what it says.
  return pieces.map((piece) => piece.replace(/^[\s#>*•-]+|\s+$/gu, '').replaceAll(/\s+/g, ' ')).filter((piece) => piece !== '');
}

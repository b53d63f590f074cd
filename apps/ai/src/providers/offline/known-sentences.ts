import type { DialogueTurn } from '../../models/ai-provider.js';
import { SentenceSplitter } from '../../speech/sentences.js';

/** The line in the instructions after which the material begins. The offline provider quotes nothing before this heading. */
export const MATERIAL_HEADING = '# Material';
/** The line before what students said, which begins the message with the question, and the line between the two. */
export const QUOTED_HEADING = '# Quoted from students';
export const QUESTION_HEADING = '# Question';

const startsWithOneOf = (words: string) => new RegExp(`^(?:${words.trim().split(/\s+/).join('|')})(?![\\p{L}])`, 'iu');

/** Matches sentences that instruct the model. They are not quoted from instructions that have no material heading. */
const RULE = startsWithOneOf(`
  you your you're never always do don['’]t answer reply respond begin start end if when unless use keep be speak refuse only write
  say stay avoid help explain remember treat take make give mention reveal
`);
const QUESTION_WORD = startsWithOneOf(`
  what who whom whose which where when why how is are am was were do does did can could would should will may explain tell describe
  define name list give show help summari[sz]e wer wie wo wann warum weshalb welche\\w* ist sind kann erkläre? nenne?
`);

const HEADING = /^#.*$/gm;
/** Parts of the offline provider's own texts, which an earlier answer may quote. */
const OWN_WORDS = /No AI model is configured|I found nothing about this in|The class’s own material says nothing/;

export interface KnownSentence {
  text: string;
  /** True if the asker said it earlier in this dialogue. */
  isOwn: boolean;
}

/** The sentences that may be quoted: first the material's, then the asker's own statements, each in their original order. */
export function knownSentences(instructions: string, turns: readonly DialogueTurn[]): KnownSentence[] {
  const at = instructions.search(new RegExp(`^${MATERIAL_HEADING}\\s*$`, 'm'));
  const quotable = at < 0 ? instructions : instructions.slice(at + MATERIAL_HEADING.length);
  const sentences = sentencesOf(quotable.replaceAll(HEADING, '')).filter((text) => !OWN_WORDS.test(text));
  const material = at < 0 ? sentences.filter((text) => !RULE.test(text)) : sentences;
  const own = turns.flatMap(({ question }) => sentencesOf(question));
  return [
    ...material.filter((text) => !text.endsWith('?')).map((text) => ({ text, isOwn: false })),
    ...own.filter((text) => !isQuestion(text)).map((text) => ({ text, isOwn: true })),
  ];
}

/** The question of a message. A model may use what is quoted before it, but the offline provider would repeat it word for word. */
export function withoutQuoted(message: string): string {
  const end = `\n${QUESTION_HEADING}\n`;
  return message.startsWith(`${QUOTED_HEADING}\n`) && message.includes(end) ? message.slice(message.indexOf(end) + end.length) : message;
}

export const isQuestion = (text: string) => text.trimEnd().endsWith('?') || QUESTION_WORD.test(text.trim());

function sentencesOf(text: string): string[] {
  const splitter = new SentenceSplitter();
  const pieces = [...splitter.push(text), ...splitter.end()];
  // Bullets, headings and quotation marks are formatting, not part of the sentence.
  return pieces
    .map((piece) =>
      piece
        .trimEnd()
        .replace(/^[\s#>*•-]+/u, '')
        .replaceAll(/\s+/g, ' '),
    )
    .filter((piece) => piece !== '');
}

import { largestOf } from '@classroom/contracts';

/** Maximum characters per piece: a sentence without an end would keep the listener waiting. */
const MAX_CHARACTERS = 300;

const CLOSERS = `["'”’»«)\\]*_]*`;
/**
 * Where a sentence may end: at its final punctuation, the closing quotes or brackets, and the space before the next character; or at a line
 * break.
 */
const SPACED_END = new RegExp(`[.!?…‽。！？｡؟।]+${CLOSERS}\\s+(?=\\S)|[^\\S\\n]*\\n\\s*(?=\\S)`, 'gu');
/** For scripts without spaces. The next character must have arrived, because only then is it certain that no closing quote follows. */
const UNSPACED_END = /[。！？｡]+[」』”’）)\]]*(?=[^\s。！？｡」』”’）)\]])/gu;

const ABBREVIATIONS = new Set(
  `mr mrs ms dr prof st jr sr vs etc e.g i.e cf approx fig no vol pp ed eds inc ltd co dept est min max
   z.b d.h u.a o.ä usw bzw ca nr bd evtl ggf inkl sog vgl abs hr fr str
   p.ej sra ud uds p.ex env av m mme n.b a.m p.m u.s u.k jan feb mar apr jun jul aug sep sept oct nov dec`.split(/\s+/),
);

/**
 * Splits a text that is still arriving into sentences to be spoken. The pieces joined are exactly the text, and the split does not depend
 * on how the text was chunked. A sentence is returned as soon as the first character of the next one has arrived.
 */
export class SentenceSplitter {
  private rest = '';

  push(text: string): string[] {
    this.rest += text;
    const sentences: string[] = [];
    for (let end = this.nextEnd(); end > 0; end = this.nextEnd()) {
      sentences.push(this.rest.slice(0, end));
      this.rest = this.rest.slice(end);
    }
    return sentences;
  }

  /** Returns the rest of the text at its end. */
  end(): string[] {
    const left = this.rest;
    this.rest = '';
    return left === '' ? [] : [left];
  }

  private nextEnd(): number {
    // Only the window is searched, so that the chunk size does not change where the text is split.
    const window = this.rest.slice(0, MAX_CHARACTERS + 1);
    const end = Math.min(sentenceEnd(window, SPACED_END), sentenceEnd(window, UNSPACED_END));
    if (end <= MAX_CHARACTERS) return end;
    return this.rest.length > MAX_CHARACTERS ? splitPoint(window) : 0;
  }
}

export async function* splitSentences(text: AsyncIterable<string>): AsyncGenerator<string> {
  const splitter = new SentenceSplitter();
  for await (const piece of text) yield* splitter.push(piece);
  yield* splitter.end();
}

function sentenceEnd(window: string, pattern: RegExp): number {
  for (const match of window.matchAll(pattern)) {
    const end = match.index + match[0].length;
    if (window.slice(0, end).trim() === '') continue;
    if (!continuesSentence(window.slice(0, match.index), match[0], window.slice(end))) return end;
  }
  return Infinity;
}

/** Whether the mark belongs to a word (an abbreviation, an initial, an ordinal) rather than to the sentence's end. */
function continuesSentence(before: string, mark: string, after: string): boolean {
  if (mark.includes('\n') || /[。｡]/.test(mark)) return false;
  if (/^\p{Ll}/u.test(after)) return true;
  if (!mark.startsWith('.') || mark.startsWith('..')) return false;
  const word = /[\p{L}\p{N}.,]*$/u.exec(before)?.[0] ?? '';
  return /^\p{Lu}$/u.test(word) || /^\d{1,2}$/.test(word) || ABBREVIATIONS.has(word.toLowerCase());
}

/** Splits at the last possible pause: a comma or similar, otherwise a space. */
function splitPoint(window: string): number {
  const allowed = window.slice(0, MAX_CHARACTERS);
  const comma = largestOf([0, ...[...allowed.matchAll(/[,;:–—]\s+|[、，；：]/gu)].map((match) => match.index + match[0].length)]);
  if (comma > MAX_CHARACTERS / 3) return comma;
  const space = allowed.search(/\s\S*$/u) + 1;
  if (space > 1) return space;
  const isPair = /[\ud800-\udbff]$/.test(allowed);
  return isPair ? MAX_CHARACTERS - 1 : MAX_CHARACTERS;
}

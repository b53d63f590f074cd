/** Characters that a voice is given at most: a sentence without end would keep its listener waiting. */
const LONGEST = 300;

const CLOSERS = `["'”’»«)\\]*_]*`;
/** Where a sentence may end: its last mark with what closes behind it, the space after that, and the next one's first character. */
const SPACED_END = new RegExp(`[.!?…‽。！？｡؟।]+${CLOSERS}\\s+(?=\\S)|[^\\S\\n]*\\n\\s*(?=\\S)`, 'gu');
/** Scripts that write without spaces. What closes the quote must have come before it can be said that nothing does. */
const UNSPACED_END = /[。！？｡]+[」』”’）)\]]*(?=[^\s。！？｡」』”’）)\]])/gu;

const ABBREVIATIONS = new Set(
  `mr mrs ms dr prof st jr sr vs etc e.g i.e cf approx fig no vol pp ed eds inc ltd co dept est min max
   z.b d.h u.a o.ä usw bzw ca nr bd evtl ggf inkl sog vgl abs hr fr str
   p.ej sra ud uds p.ex env av m mme n.b a.m p.m u.s u.k jan feb mar apr jun jul aug sep sept oct nov dec`.split(/\s+/),
);

/**
 * Cuts a text that is still coming into sentences to be spoken. The pieces, one after the other, are the text: nothing is
 * lost, and how it was cut on its way does not matter. A sentence is given out as soon as the next one's first character is there.
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

  /** What is left, at the text's end. */
  end(): string[] {
    const left = this.rest;
    this.rest = '';
    return left === '' ? [] : [left];
  }

  private nextEnd(): number {
    // Only what lies in the window counts, so that the same places are found in however large pieces it comes.
    const window = this.rest.slice(0, LONGEST + 1);
    const end = Math.min(endIn(window, SPACED_END), endIn(window, UNSPACED_END));
    if (end <= LONGEST) return end;
    return this.rest.length > LONGEST ? cutIn(window) : 0;
  }
}

export async function* splitSentences(text: AsyncIterable<string>): AsyncGenerator<string> {
  const splitter = new SentenceSplitter();
  for await (const piece of text) yield* splitter.push(piece);
  yield* splitter.end();
}

function endIn(window: string, pattern: RegExp): number {
  for (const match of window.matchAll(pattern)) {
    const end = match.index + match[0].length;
    if (window.slice(0, end).trim() === '') continue;
    if (!goesOn(window.slice(0, match.index), match[0], window.slice(end))) return end;
  }
  return Infinity;
}

/** Whether the mark belongs to a word (an abbreviation, an initial, an ordinal) rather than to the sentence's end. */
function goesOn(before: string, mark: string, after: string): boolean {
  if (mark.includes('\n') || /[。｡]/.test(mark)) return false;
  if (/^\p{Ll}/u.test(after)) return true;
  if (!mark.startsWith('.') || mark.startsWith('..')) return false;
  const word = /[\p{L}\p{N}.,]*$/u.exec(before)?.[0] ?? '';
  return /^\p{Lu}$/u.test(word) || /^\d{1,2}$/.test(word) || ABBREVIATIONS.has(word.toLowerCase());
}

/** At the last place where one may take breath. */
function cutIn(window: string): number {
  const allowed = window.slice(0, LONGEST);
  const comma = Math.max(...[...allowed.matchAll(/[,;:–—]\s+|[、，；：]/gu)].map((match) => match.index + match[0].length), 0);
  if (comma > LONGEST / 3) return comma;
  const space = allowed.search(/\s\S*$/u) + 1;
  if (space > 1) return space;
  const isPair = /[\ud800-\udbff]$/.test(allowed);
  return isPair ? LONGEST - 1 : LONGEST;
}

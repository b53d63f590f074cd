import bidiFactory from 'bidi-js';
import type { StatementFonts, Style } from './statement-fonts.js';

const bidi = bidiFactory();
const clusters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** A part of a line in one font and one direction. */
export interface Run {
  font: string;
  direction: 'ltr' | 'rtl';
  text: string;
}

/** @returns what a reader takes for the characters of a text, with its white space as spaces */
export const charactersOf = (text: string): string[] => Array.from(clusters.segment(text.replaceAll(/\s/g, ' ')), ({ segment }) => segment);

/**
 * @returns the runs of a line from left to right: the Unicode Bidirectional Algorithm orders them, and the first letter decides the line's direction
 */
export function runsOf(characters: readonly string[], style: Style, fonts: StatementFonts): Run[] {
  const text = characters.join('');
  const embedding = bidi.getEmbeddingLevels(text);
  const mirrored = bidi.getMirroredCharactersMap(text, embedding.levels);
  const runs: (Run & { level: number })[] = [];
  let font: string = style;
  let at = 0;
  for (const character of characters) {
    const level = embedding.levels[at] ?? 0;
    font = fonts.nameFor(character, style, font, text);
    const drawn = fonts.textFor(font, mirrored.get(at) ?? character);
    const last = runs.at(-1);
    if (last?.font === font && last.level === level) last.text += drawn;
    else if (drawn) runs.push({ font, level, direction: level % 2 === 0 ? 'ltr' : 'rtl', text: drawn });
    at += character.length;
  }
  return inOrder(runs);
}

/** Rule L2 of the algorithm: from the highest level down to 1, parts of that level or higher are reversed. */
function inOrder<T extends { level: number }>(runs: T[]): T[] {
  const highest = runs.reduce((most, { level }) => Math.max(most, level), 0);
  let ordered = runs;
  for (let level = highest; level > 0; level--) {
    let next: T[] = [];
    let part: T[] = [];
    for (const run of ordered) {
      if (run.level >= level) {
        part.unshift(run);
        continue;
      }
      next = next.concat(part, run);
      part = [];
    }
    ordered = next.concat(part);
  }
  return ordered;
}

/** Lengths in points. */
interface Look {
  width: number;
  size: number;
  style: Style;
}

interface Place extends Look {
  x: number;
  /** Top of the line. */
  y: number;
  align?: 'left' | 'right';
}

/** Draws texts in any script and direction. pdfkit itself uses one font for a text, and writes its words from left to right. */
export class TextPainter {
  constructor(
    private readonly pdf: PDFKit.PDFDocument,
    private readonly fonts: StatementFonts,
  ) {}

  /** Draws one line: a longer text ends in an ellipsis. */
  drawLine(text: string, place: Place): void {
    const { x, y, width, size, style, align } = place;
    const characters = charactersOf(text);
    const fitting = this.countFitting(characters, place, '');
    const shown = fitting === characters.length ? characters : [...characters.slice(0, this.countFitting(characters, place, '…')), '…'];
    const runs = runsOf(shown, style, this.fonts);
    const widths = runs.map((run) => this.widthOf(run, size));
    const total = widths.reduce((sum, it) => sum + it, 0);
    let left = align === 'right' ? x + width - total : x;
    const baseline = y + (this.fonts.open(style).ascent / this.fonts.open(style).unitsPerEm) * size;
    for (const [index, run] of runs.entries()) {
      this.select(run, size).text(run.text, left, baseline, { lineBreak: false, baseline: 'alphabetic', features: directionOf(run) });
      left += widths[index]!;
    }
    this.pdf.y = y;
  }

  /** @returns the lines of a text, broken at spaces where there are any */
  linesOf(text: string, look: Look): string[] {
    const lines: string[] = [];
    let rest = charactersOf(text);
    while (rest.length > 0) {
      const fitting = Math.max(1, this.countFitting(rest, look, ''));
      const space = fitting === rest.length ? -1 : rest.lastIndexOf(' ', fitting);
      const end = space > 0 ? space : fitting;
      lines.push(rest.slice(0, end).join(''));
      rest = rest.slice(space > 0 ? end + 1 : end);
    }
    return lines;
  }

  /** @returns how many of the characters have room together with the text `end` */
  private countFitting(characters: readonly string[], { width, size, style }: Look, end: string): number {
    const fits = (count: number) => {
      const shown = characters.slice(0, count);
      if (end) shown.push(end);
      return runsOf(shown, style, this.fonts).reduce((sum, run) => sum + this.widthOf(run, size), 0) <= width;
    };
    if (!end && fits(characters.length)) return characters.length;
    let [some, many] = [0, characters.length];
    while (many - some > 1) {
      const middle = Math.floor((some + many) / 2);
      if (fits(middle)) some = middle;
      else many = middle;
    }
    return some;
  }

  private widthOf(run: Run, size: number): number {
    return this.select(run, size).widthOfString(run.text, { features: directionOf(run) });
  }

  private select({ font }: Run, size: number): PDFKit.PDFDocument {
    this.pdf.registerFont(font, this.fonts.open(font) as never);
    return this.pdf.font(font).fontSize(size);
  }
}

/** In the place of features: see `StatementFonts.open`. Without any, pdfkit remembers the words that it has laid out. */
const directionOf = ({ direction }: Run): PDFKit.Mixins.OpenTypeFeatures[] | undefined =>
  direction === 'rtl' ? [direction as never] : undefined;

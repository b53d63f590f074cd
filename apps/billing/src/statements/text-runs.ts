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

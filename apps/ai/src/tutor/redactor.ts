import { fold } from '@classroom/contracts';

/** Replaces every name. */
const PLACEHOLDER = 'a student';
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
/** Scripts that are written without spaces between words, so that a name may begin anywhere. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Characters allowed between the words of one name. */
const GAP = /^[\s.,_@:|+=~'’-]{0,3}$/u;
const MIN_PART_CHARACTERS = 3;

interface Word {
  /** As `fold` makes it. */
  folded: string;
  start: number;
  end: number;
}

/**
 * Removes the names of a class's students from text that is sent to the model for one of them. In text by students, each part of a name is
 * removed, because students use first names. In text by the school, only whole names are removed; otherwise no student named Mark could be
 * in a class about Mark Twain.
 */
export class Redactor {
  /** Names by their first word. */
  private readonly names = new Map<string, string[][]>();
  private readonly parts = new Set<string>();
  private readonly unspaced: RegExp | undefined;

  constructor(names: readonly string[], uids: readonly string[]) {
    const unspaced = new Set<string>();
    for (const name of names) {
      if (UNSPACED.test(name)) addUnspaced(unspaced, name);
      this.addName(wordsOf(name).map(({ folded }) => folded));
      for (const part of partsOf(name)) this.parts.add(part);
    }
    for (const uid of uids) if (isIdentifying(uid)) this.addName(wordsOf(uid).map(({ folded }) => folded));
    const longestFirst = [...unspaced].sort((a, b) => b.length - a.length).map(escape);
    this.unspaced = longestFirst.length > 0 ? new RegExp(longestFirst.join('|'), 'gu') : undefined;
  }

  /** Redacts text by a student, or by the tutor to a student. */
  redactStudentText(text: string): string {
    return this.redact(text, true);
  }

  /** Redacts text by the school. */
  redactSchoolText(text: string): string {
    return this.redact(text, false);
  }

  private addName(words: string[]): void {
    const [first] = words;
    if (first === undefined) return;
    const known = this.names.get(first);
    if (known) known.push(words);
    else this.names.set(first, [words]);
  }

  private redact(text: string, withParts: boolean): string {
    const words = wordsOf(text);
    const found: [start: number, end: number][] = [];
    for (let at = 0; at < words.length;) {
      const length = this.nameAt(text, words, at) || (withParts && this.isPart(words[at]) ? 1 : 0);
      if (length > 0) found.push([words[at]?.start ?? 0, words[at + length - 1]?.end ?? 0]);
      at += length || 1;
    }
    const spaced = replaceAll(text, found);
    return this.unspaced ? spaced.replaceAll(this.unspaced, PLACEHOLDER) : spaced;
  }

  /** The number of words of the longest name that begins here; 0 if there is none. */
  private nameAt(text: string, words: Word[], at: number): number {
    const first = words[at]?.folded ?? '';
    const candidates = [...(this.names.get(first) ?? []), ...(this.names.get(withoutGenitive(first)) ?? [])];
    let longest = 0;
    for (const name of candidates) {
      if (name.length > longest && isNameAt(text, words, at, name)) longest = name.length;
    }
    return longest;
  }

  private isPart(word: Word | undefined): boolean {
    return word !== undefined && (this.parts.has(word.folded) || this.parts.has(withoutGenitive(word.folded)));
  }
}

function isNameAt(text: string, words: Word[], at: number, name: string[]): boolean {
  return name.every((part, index) => {
    const word = words[at + index];
    if (!word) return false;
    const isLast = index === name.length - 1;
    if (word.folded !== part && !(isLast && withoutGenitive(word.folded) === part)) return false;
    const before = words[at + index - 1];
    return index === 0 || !before || GAP.test(text.slice(before.end, word.start));
  });
}

const withoutGenitive = (word: string) => (word.length > MIN_PART_CHARACTERS && word.endsWith('S') ? word.slice(0, -1) : word);

const wordsOf = (text: string): Word[] =>
  [...text.matchAll(WORD)].map((match) => ({ folded: fold(match[0]), start: match.index, end: match.index + match[0].length }));

/** The parts of a name without particles such as "of" and "van der". In a name all in lower case, every word is a part. */
function partsOf(name: string): string[] {
  const words = [...name.matchAll(WORD)]
    .map(([word]) => word)
    .filter((word) => word.length >= MIN_PART_CHARACTERS && !/^\p{N}+$/u.test(word));
  const large = words.filter((word) => !/^\p{Ll}/u.test(word));
  return (large.length > 0 ? large : words).map(fold);
}

/** Whether the uid identifies a person in a text. A number of few digits, or one or two letters, occurs in many questions by chance. */
function isIdentifying(uid: string): boolean {
  const letters = uid.replaceAll(/[^A-Za-z]/g, '').length;
  const digits = uid.replaceAll(/\D/g, '').length;
  return letters === 0 ? digits >= 4 : digits > 0 || letters >= MIN_PART_CHARACTERS;
}

/**
 * Adds the whole name and, for names of three or four characters, the given name: the name without its first character, which is the family
 * name.
 */
function addUnspaced(names: Set<string>, name: string): void {
  const bare = name.replaceAll(/\s+/g, '');
  const signs = [...bare];
  names.add(name.trim());
  if (signs.length >= 2) names.add(bare);
  if (signs.length >= 3 && signs.length <= 4) names.add(signs.slice(1).join(''));
}

/** Adjacent names belong to one person and are replaced once. */
function replaceAll(text: string, found: [start: number, end: number][]): string {
  let result = '';
  let at = 0;
  for (const [index, [start, end]] of found.entries()) {
    const isSamePerson = index > 0 && /^[\s-]*$/.test(text.slice(at, start));
    if (!isSamePerson) result += text.slice(at, start) + PLACEHOLDER;
    at = end;
  }
  return result + text.slice(at);
}

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

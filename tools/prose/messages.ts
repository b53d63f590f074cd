import { withoutComments } from '../structure/sources.ts';

/** A text in quotes that reads like a sentence: errors, log messages, output, names of tests. */
const TEXT = /'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`|"((?:[^"\\\n]|\\.)*)"/g;
const IS_SENTENCE = /[a-z]{2,} [a-z’']{2,}/i;
const IS_SQL = /^\s*(?:WITH|SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|GRANT|\()\b/;

export interface Message {
  file: string;
  line: number;
  text: string;
}

/** @returns the sentences in a file's strings; in a template `${…}` counts as one word */
export function messagesIn(file: string, source: string): Message[] {
  const code = withoutComments(source);
  return [...code.matchAll(TEXT)].flatMap((match) => {
    const text = (match[1] ?? match[2] ?? match[3] ?? '').replaceAll(/\$\{[^}]*\}/g, 'X');
    if (!IS_SENTENCE.test(text) || IS_SQL.test(text)) return [];
    return [{ file, line: code.slice(0, match.index).split('\n').length, text: text.replaceAll(/\s+/g, ' ') }];
  });
}

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { REPO } from '../stack/context.ts';
import { commentsIn, isGenerated } from '../structure/sources.ts';
import { messagesIn } from './messages.ts';

/** Idioms that take a second reading, and what to write instead. */
const IDIOMS: [pattern: RegExp, instead: string][] = [
  [/\b(?:is|are|was|were|be|been|being) away\b/i, 'unreachable, down'],
  [/\btold\b/i, 'notified, published, reported'],
  [/\bnobody\b/i, 'no caller, no participant, no process'],
  [/\bsomebody\b/i, 'a caller, a participant, a process'],
  [/\bwhoever\b/i, "the actor's name"],
  [/\bbesides?\b/i, 'next to, together with, in addition to'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, repair'],
  [/\banew\b/i, 'again'],
  [/\bafresh\b/i, 'again, from the beginning'],
  [/\bpatien(?:ce|tly)\b(?!\()/i, 'timeout'],
  [/\bgo(?:es)? on\b/i, 'continue'],
  [/(?<!\b(?:one|each|all|some|both|most|none|any) )\bof which\b/i, 'two sentences'],
  [/\b(?:what|how much) (?:it|they) (?:came|comes?) to\b/i, 'the sum, the result'],
  [/\bfor ever\b/i, 'permanently, indefinitely'],
  [/\bunder way\b/i, 'in progress'],
  [/\b(?:hears?|heard) (?:of|from)\b/i, 'receives, learns'],
  [/\bset(?:s)? out to\b/i, 'does'],
];

/** Their texts are data: prompts, answers of models, and what people write in a chat. */
const DATA = [
  /^tools\/prose\/prose\.spec\.ts$/,
  /^apps\/ai\/src\/(?:chats\/conversation-memory|providers\/sdk-task-models|providers\/offline\/.*)\.ts$/,
  /^(?:apps\/ai\/test\/tutor\.it|test\/system\/(?:ai\/tutor|classroom|classroom-tutor))\.spec\.ts$/,
];

/** A Markdown document without its code, on the same lines. */
const withoutCode = (text: string) =>
  text
    .replaceAll(/^(\s*)(```+|~~~+)[\s\S]*?^\s*\2/gm, blank)
    .replaceAll(/`[^`\n]*`/g, blank)
    .replaceAll(/\]\([^)\n]*\)/g, blank);
const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ');

/** What a person reads of a file: a document's prose, or a source's comments and messages. */
function textsOf(file: string): { line: number; text: string }[] {
  const source = fs.readFileSync(path.join(REPO, file), 'utf8');
  if (file.endsWith('.md'))
    return withoutCode(source)
      .split('\n')
      .map((text, at) => ({ line: at + 1, text }));
  return [...commentsIn(source), ...messagesIn(file, source)];
}

const idiomsIn = (file: string) =>
  textsOf(file).flatMap(({ line, text }) =>
    IDIOMS.filter(([pattern]) => pattern.test(text)).map(
      ([pattern, instead]) => `${file}:${line}: ${pattern.exec(text)?.[0]}: write ${instead}`,
    ),
  );

describe('documents, comments and messages', () => {
  it('are in plain technical English', () => {
    const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--', '*.md', '*.ts', '*.tsx', '*.cjs'];
    const files = execFileSync('git', list, { cwd: REPO, encoding: 'utf8' })
      .split('\n')
      .filter((file) => file && fs.existsSync(path.join(REPO, file)));
    expect(files.filter((file) => !isGenerated(file) && !DATA.some((data) => data.test(file))).flatMap(idiomsIn)).toEqual([]);
  });

  it('are compared without code, and with the line of a place', () => {
    expect(withoutCode('a\n```\nnobody\n```\n`nobody` b')).toBe('a\n   \n      \n   \n         b');
    expect(commentsIn("const a = '// told'; // b\n/* c\nd */")).toEqual([
      { line: 1, text: '// b' },
      { line: 2, text: '/* c' },
      { line: 3, text: 'd */' },
    ]);
  });
});

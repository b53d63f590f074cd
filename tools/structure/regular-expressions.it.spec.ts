import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseSync } from '@swc/core';
import { REPO } from '../stack/context.ts';

/** Expressions whose time may grow faster than their text, and what bounds the text. */
const BOUNDED: Record<string, string> = {
  [String.raw`/\/+$/`]: 'the address of the API, from the configuration of the program that uses the SDK',
  [String.raw`/[。！？｡]+[」』”’）)\]]*(?=[^\s。！？｡」』”’）)\]])/gu`]: 'a window of 301 characters',
  [String.raw`/[\p{L}\p{N}.,]*$/u`]: 'a window of 301 characters',
  [String.raw`/(?:[a-z][a-z0-9+.-]{0,30}:\/\/|www\.)\S+|(?:[\p{L}\p{N}-]{1,63}\.){1,10}\p{L}{2,63}(?:[/:?#]\S*)?/giu`]:
    'each part by a number of repetitions: 0.1 ms for 2,000 letters',
};

interface Expression {
  file: string;
  pattern: string;
  flags: string;
}

function expressionsIn(file: string): Expression[] {
  const source = fs.readFileSync(path.join(REPO, file), 'utf8');
  const found: Expression[] = [];
  const walk = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    const { type, pattern, flags } = node as Record<string, unknown>;
    if (type === 'RegExpLiteral') found.push({ file, pattern: String(pattern), flags: String(flags) });
    Object.values(node).forEach(walk);
  };
  walk(parseSync(source, { syntax: 'typescript', tsx: file.endsWith('x'), decorators: true }));
  return found;
}

/** One text that a person sent could otherwise hold a process, and every school that it serves, for seconds. */
describe('every regular expression of the product', () => {
  const files = fs.globSync('{apps,libs}/*/src/**/*.{ts,tsx}', { cwd: REPO }).filter((file) => !/\.spec\./.test(file));
  const byText = new Map(files.flatMap(expressionsIn).map((one) => [`/${one.pattern}/${one.flags}`, one]));

  it('takes time in proportion to its text, or its text is bounded', () => {
    const unbounded = [...byText].filter(([text]) => !(text in BOUNDED));
    const input = JSON.stringify(unbounded.map(([, { pattern, flags }]) => [pattern, flags]));
    const program = path.join(import.meta.dirname, 'check-expressions.ts');
    const statuses = JSON.parse(execFileSync(process.execPath, [program], { input, encoding: 'utf8' })) as string[];
    const slow = unbounded.flatMap(([text, { file }], at) => (statuses[at] === 'safe' ? [] : [`${statuses[at]}: ${file}: ${text}`]));
    expect(slow).toEqual([]);
  });

  it('is still there if it is an exception', () => {
    expect(Object.keys(BOUNDED).filter((text) => !byText.has(text))).toEqual([]);
  });
});

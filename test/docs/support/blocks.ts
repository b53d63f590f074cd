import { readPages } from '../../deploy/support/documents.js';

/** A fenced code block of a page, as a reader copies it. */
export interface Block {
  page: string;
  line: number;
  language: string;
  text: string;
}

const SHELL = ['sh', 'bash', 'console', 'shell', 'zsh'];

const all: Block[] = readPages().flatMap(({ file, text }) =>
  [...text.matchAll(/^( *)```(\w*)[^\n]*\n([\s\S]*?)^\1```/gm)].map((match) => ({
    page: file,
    line: text.slice(0, match.index).split('\n').length,
    language: match[2] ?? '',
    text: match[3] ?? '',
  })),
);

export const shellBlocks: readonly Block[] = all.filter(({ language }) => SHELL.includes(language));

/** @throws if the page has no such block */
export function blocksOf(page: string, language = 'sh'): Block[] {
  const found = all.filter(
    (block) => block.page === page && (language === 'sh' ? SHELL.includes(block.language) : block.language === language),
  );
  if (found.length === 0) throw new Error(`${page} has no block of ${language}`);
  return found;
}

export const where = ({ page, line }: Block) => `${page}:${line}`;

/** Examples of a page and the reader's own values for them. Ports of GATEWAY_PORT 8080 are replaced in addition. */
export type Own = Record<string, string>;

/** @throws an error that lists placeholders without a value */
export function fillIn(block: Block, own: Own, ports: { gatewayPort: number; portBase: number }): string {
  let text = block.text;
  for (const [theirs, ours] of Object.entries(own)) text = text.replaceAll(theirs, ours);
  text = text
    .replaceAll(/\b8080\b/g, String(ports.gatewayPort))
    .replaceAll(/\b315(\d\d)\b/g, (_all, offset) => String(ports.portBase + Number(offset)));
  const commands = text.replaceAll(/(^|\s)#.*$/gm, '');
  const open = [...new Set(commands.match(/<[a-z][a-z ]*>|…/g) ?? [])];
  if (open.length > 0) throw new Error(`${where(block)} says ${open.join(', ')}: give that a value in OWN of test/docs/own.ts`);
  return text;
}

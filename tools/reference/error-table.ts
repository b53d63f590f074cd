import type { Library } from '../contracts/list-contracts.ts';

const BEGIN = '<!-- errors: written by `npm run reference` -->\n';
const END = '<!-- /errors -->';

/** @returns the guide with a table of all error codes in its marked place. @throws if the marks are missing */
export function withErrorTable(guide: string, { ERRORS, HTTP_STATUS }: Pick<Library, 'ERRORS' | 'HTTP_STATUS'>): string {
  const [before, rest] = guide.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error('the guide has no place for the error codes');
  const rows = Object.entries(ERRORS)
    .map(([code, { kind, when, advice }]) => ({
      status: HTTP_STATUS[kind],
      text: `| \`${code}\` | ${HTTP_STATUS[kind]} | ${when} | ${advice} |\n`,
    }))
    .sort((a, b) => a.status - b.status)
    .map(({ text }) => text);
  return `${before}${BEGIN}| Code | Status | When | What to do |\n|---|---|---|---|\n${rows.join('')}${END}${after}`;
}

import type { Library } from '../contracts/list-contracts.ts';
import { withSection } from '../docs/section.ts';

/** @returns the guide with a table of all error codes in its marked place. @throws if the marks are missing */
export function withErrorTable(guide: string, { ERRORS, HTTP_STATUS }: Pick<Library, 'ERRORS' | 'HTTP_STATUS'>): string {
  const rows = Object.entries(ERRORS)
    .map(([code, { kind, when, advice }]) => ({
      status: HTTP_STATUS[kind],
      text: `| \`${code}\` | ${HTTP_STATUS[kind]} | ${when} | ${advice} |\n`,
    }))
    .sort((a, b) => a.status - b.status)
    .map(({ text }) => text);
  return withSection(guide, 'errors', `| Code | Status | When | What to do |\n|---|---|---|---|\n${rows.join('')}`);
}

import type { EndpointContract } from '@classroom/contracts';
import type { Library } from '../contracts/list-contracts.ts';
import { withSection } from '../docs/section.ts';
import type { OpenApi } from './open-api.ts';
import { HAND_WRITTEN, type Resource, resourcesOf } from './sdk-calls.ts';

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

/** What cannot be seen from a method's name. */
const NOTES: Record<string, string> = {
  videos: '; the file goes to `upload.url` by any [tus](https://tus.io) client',
  events: '; the same events as webhooks, in order and without gaps',
};

const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(' ');

/** @returns the README of the client with its methods in the marked place. @throws if the marks are missing */
export function withMethodTable(
  readme: string,
  endpoints: readonly { operationId: string; sdk?: string | undefined }[],
  document: Pick<OpenApi, 'paths'>,
): string {
  const { calls, resources } = resourcesOf(endpoints, document);
  const rows = [...resources].map(([name, resource]) => `| \`${name}\` | ${methodsOf(name, resource)}${NOTES[name] ?? ''} |\n`);
  const own = calls.map(({ name }) => `| \`${name}()\` | |\n`);
  return withSection(readme, 'methods', `| | |\n|---|---|\n${rows.join('')}${own.join('')}`);
}

function methodsOf(name: string, { calls, resources }: Resource): string {
  const names = calls.flatMap((call) => [call.name, ...(call.hasCsv ? [`${call.name}Csv`] : [])]);
  const own = HAND_WRITTEN.has(name) ? ['list', 'stream'] : names;
  const inner = [...resources].map(([field, resource]) => `\`${field}\`: ${methodsOf(field, resource)}`);
  return [...(own.length > 0 ? [code(own)] : []), ...inner].join('; ');
}

/** The routes of the callers of a page. The page imports only types from the contracts, no code. @param whose ends the sentence "Method and path of what …" */
export function pageRoutes(
  endpoints: readonly EndpointContract[],
  isCalled: (endpoint: EndpointContract) => boolean,
  whose: string,
): string {
  const called = endpoints.filter(isCalled);
  const routes = called.map(({ operationId, method, path }) => `  ${operationId}: '${method} ${path}',\n`).sort();
  return `// Written by \`npm run generate -- reference\` from the contracts.

/** Method and path of what ${whose}. */
export const ROUTES = {
${routes.join('')}} as const;
`;
}

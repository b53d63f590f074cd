type Endpoint = { operationId: string; method: string; path: string; auth: string };

/** The routes of the callers of a page. The page imports only types from the contracts, no code. @param whose ends the sentence "Method and path of what …" */
export function pageRoutes(endpoints: readonly Endpoint[], callers: readonly string[], whose: string): string {
  const called = endpoints.filter(({ auth }) => callers.includes(auth));
  const routes = called.map(({ operationId, method, path }) => `  ${operationId}: '${method} ${path}',\n`).sort();
  return `// Written by \`npm run reference\` from the contracts.

/** Method and path of what ${whose}. */
export const ROUTES = {
${routes.join('')}} as const;
`;
}

import type { EndpointContract } from '@classroom/contracts';

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

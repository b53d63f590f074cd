/** The routes that participants call, for the class page. The page imports only types from the contracts, no code. */
export function pageRoutes(endpoints: readonly { operationId: string; method: string; path: string; auth: string }[]): string {
  const called = endpoints.filter(({ auth }) => auth === 'classroom' || auth === 'participant');
  const routes = called.map(({ operationId, method, path }) => `  ${operationId}: '${method} ${path}',\n`).sort();
  return `// Written by \`npm run reference\` from the contracts.

/** Method and path of what people in class call. */
export const ROUTES = {
${routes.join('')}} as const;
`;
}

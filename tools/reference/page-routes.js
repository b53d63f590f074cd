'use strict';

/** What people in class call, for the page: it has types of the contracts and none of their code. @param {any[]} endpoints */
function pageRoutes(endpoints) {
  const called = endpoints.filter(({ auth }) => auth === 'classroom' || auth === 'participant');
  const routes = called.map(({ operationId, method, path }) => `  ${operationId}: '${method} ${path}',\n`).sort();
  return `// Written by \`npm run reference\` from the contracts.

/** Method and path of what people in class call. */
export const ROUTES = {
${routes.join('')}} as const;
`;
}

module.exports = { pageRoutes };

'use strict';

const path = require('node:path');
const { REPO } = require('../stack/paths.ts');
const { version } = require('../../package.json');

/** @typedef {{ file: string, document: any }} Document a path in the repository, and what it is to hold */

/** The two references. @param {Record<string, any>} contracts what `@classroom/contracts` exports @returns {Document[]} */
function documents(contracts) {
  const endpoints = Object.values(contracts).filter((it) => it?.operationId);
  return /** @type {const} */ (['public', 'internal']).map((audience) => ({
    file: path.join(REPO, 'docs', 'reference', audience === 'public' ? 'openapi.json' : 'openapi.internal.json'),
    document: contracts.openApi(endpoints, { version, audience }),
  }));
}

const textOf = (/** @type {any} */ document) => `${JSON.stringify(document, null, 2)}\n`;

module.exports = { documents, textOf };

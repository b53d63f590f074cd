'use strict';

const path = require('node:path');
const { REPO } = require('../stack/paths');
const { version } = require('../../package.json');
const { pageRoutes } = require('./page-routes');
const { sdkResources } = require('./sdk-resources');
const { sdkTypes } = require('./sdk-types');

/** @typedef {{ file: string, document: any }} Document a path in the repository, and what it is to hold */

const endpointsOf = (/** @type {Record<string, any>} */ contracts) => Object.values(contracts).filter((it) => it?.operationId);

/** The two references. @param {Record<string, any>} contracts what `@classroom/contracts` exports @returns {Document[]} */
function documents(contracts) {
  const endpoints = endpointsOf(contracts);
  return /** @type {const} */ (['public', 'internal']).map((audience) => ({
    file: path.join(REPO, 'docs', 'reference', audience === 'public' ? 'openapi.json' : 'openapi.internal.json'),
    document: contracts.openApi(endpoints, { version, audience }),
  }));
}

const textOf = (/** @type {any} */ document) => `${JSON.stringify(document, null, 2)}\n`;

/** All that is written from the contracts: the references and the two clients. @param {Record<string, any>} contracts @returns {{ file: string, text: string }[]} */
function files(contracts) {
  const endpoints = endpointsOf(contracts);
  const references = documents(contracts).map(({ file, document }) => ({ file, text: textOf(document), document: JSON.parse(textOf(document)) }));
  const reference = references[0]?.document;
  return [
    ...references.map(({ file, text }) => ({ file, text })),
    { file: path.join(REPO, 'libs', 'sdk', 'src', 'schema.ts'), text: sdkTypes(reference) },
    { file: path.join(REPO, 'libs', 'sdk', 'src', 'resources.ts'), text: sdkResources(endpoints, reference) },
    { file: path.join(REPO, 'apps', 'classroom', 'src', 'session', 'routes.ts'), text: pageRoutes(endpoints) },
  ];
}

module.exports = { documents, files, textOf };

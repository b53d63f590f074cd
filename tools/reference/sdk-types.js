'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { REPO } = require('../stack/paths.ts');
const { bracketed, field, literal, typeOf } = require('./typescript');

const SDK_TYPES = path.join(REPO, 'libs', 'sdk', 'src', 'schema.ts');
const JSON_TYPE = 'application/json';

/**
 * What `@virtual-classroom/sdk` knows of the reference, as TypeScript: the calls that a backend makes with its organization's
 * credentials or with none, the error codes and the events. What people in class call with tokens of their own is not a backend's.
 * @param {any} document the public reference
 */
function sdkTypes(document) {
  const operations = Object.entries(document.paths).flatMap(([at, item]) =>
    Object.entries(/** @type {Record<string, any>} */ (item)).filter(([, { security }]) => isBackends(security))
      .map(([method, operation]) => ({ route: `${method.toUpperCase()} ${at}`, operation })));
  const named = document.components.schemas;
  return `/* eslint-disable max-lines */
// Written by \`npm run reference\` from docs/reference/openapi.json.

/** Method and path of every call. */
export const ROUTES = {
${operations.map(({ operation, route }) => `  ${operation.operationId}: ${literal(route)},\n`).join('')}} as const;

/** What every call takes, and the whole JSON body of its answer. */
export interface Operations {
${operations.map(({ operation }) => `  /** ${operation.summary} */\n  ${operation.operationId}: ${callOf(operation, named)};\n`).join('')}}

/** The data of every event, by its type. */
export interface EventData {
${Object.entries(document.webhooks ?? {}).map(([type, { post }]) => `  ${literal(type)}: ${typeOf(jsonOf(post.requestBody).properties.data, named, '  ')};\n`).join('')}}

/** What \`code\` of an error may be. */
export type ErrorCode =
${codesOf(document).map((code) => `  | ${literal(code)}`).join('\n')};
`;
}

/** @param {Record<string, unknown>[]} security */
const isBackends = (security) => security.length === 0 || security.some((scheme) => 'organizationId' in scheme);

const jsonOf = (/** @type {any} */ { content }) => (content[JSON_TYPE] ?? Object.values(content)[0]).schema;

/** @param {any} operation @param {Record<string, any>} named */
function callOf({ parameters, requestBody, responses }, named) {
  /** @param {string} indent */
  const fields = (indent) => {
    const written = ['path', 'query'].flatMap((place) => {
      const of = parameters.filter((/** @type {any} */ it) => it.in === place);
      const isRequired = of.some((/** @type {any} */ it) => it.required);
      const type = () => bracketed((deeper) => of.map((/** @type {any} */ it) => field(it.name, it.required, typeOf(it.schema, named, deeper))), indent);
      return of.length === 0 ? [] : [field(place === 'path' ? 'params' : place, isRequired, type())];
    });
    if (requestBody) written.push(field('body', requestBody.required, typeOf(jsonOf(requestBody), named, indent)));
    return [...written, field('answer', true, typeOf(jsonOf(responses['200']), named, indent))];
  };
  return bracketed(fields, '  ');
}

/** @param {any} document @returns {string[]} every code that some call of the reference documents */
function codesOf({ components }) {
  const codes = Object.values(components.responses).flatMap((response) => jsonOf(response).allOf[1].properties.error.enum);
  return [...new Set(codes)].sort();
}

module.exports = { sdkTypes, SDK_TYPES };

if (require.main === module) {
  fs.writeFileSync(SDK_TYPES, sdkTypes(require('../../docs/reference/openapi.json')));
  process.stdout.write(`${path.relative(process.cwd(), SDK_TYPES)}\n`);
}

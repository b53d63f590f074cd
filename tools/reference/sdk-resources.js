'use strict';

const { backendCalls, jsonOf } = require('./sdk-types');
const { literal } = require('./typescript');

/** Resources with a class of their own in `libs/sdk/src/<name>.ts`: `events.list` takes `types` as an array, and pages by `after`. */
const BY_HAND = new Set(['events']);

/** @typedef {{ methods: string[], resources: Map<string, Resource> }} Resource its methods as TypeScript */

/**
 * The methods of `@virtual-classroom/sdk`, by the names that the contracts give them.
 * @param {any[]} endpoints @param {any} document the public reference @throws where the name of a backend's call is missing, or is another's too
 */
function sdkResources(endpoints, document) {
  const names = new Map(endpoints.flatMap(({ operationId, sdk }) => (sdk ? [[operationId, sdk]] : [])));
  const calls = backendCalls(document);
  const missing = calls.map(({ operation }) => operation.operationId).filter((id) => !names.has(id));
  if (missing.length > 0) throw new Error(`no \`sdk\` names the method of ${missing.join(', ')}`);
  if (names.size > calls.length) throw new Error('an `sdk` names the method of what no backend calls');
  if (new Set(names.values()).size < names.size) throw new Error('an `sdk` names two methods');
  /** @type {Resource} */
  const all = { methods: [], resources: new Map() };
  for (const call of calls) {
    const path = names.get(call.operation.operationId).split('.');
    const name = path.pop();
    const resource = path.reduce((/** @type {Resource} */ { resources }, /** @type {string} */ part) => {
      if (!resources.has(part)) resources.set(part, { methods: [], resources: new Map() });
      return /** @type {Resource} */ (resources.get(part));
    }, all);
    if (!BY_HAND.has(path[0])) resource.methods.push(...methodsOf(name, call));
  }
  return `// Written by \`npm run reference\` from the contracts.
import { fromNdjson, fromServerSentEvents } from './answers.js';
${[...BY_HAND].map((name) => `import { ${capital(name)} } from './${name}.js';\n`).join('')}import type { Addressed, Body, Query } from './operation.js';
import { Pages } from './pages.js';
import type { RequestOptions, Transport } from './transport.js';

class Resource {
  constructor(protected readonly api: Transport) {}
}
${classesOf('Resources', all)}`;
}

/** @param {string} name @param {Resource} resource @param {string} [prefix] of the names of the classes in it @returns {string} */
function classesOf(name, { methods, resources }, prefix = '') {
  const inner = [...resources].map(([field, resource]) => ({ field, type: `${prefix}${capital(field)}`, resource }));
  const fields = inner.map(({ field, type }) => `  readonly ${field} = new ${type}(this.api);\n`).join('');
  const written = `\nexport class ${name} extends Resource {\n${[fields, ...methods].filter((it) => it !== '').join('\n')}}\n`;
  return written + inner.filter(({ field }) => !BY_HAND.has(field)).map(({ type, resource }) => classesOf(type, resource, type)).join('');
}

/** The parts of the path, the body or the query, options. @param {string} name @param {{ route: string, operation: any }} call @returns {string[]} */
function methodsOf(name, { route, operation: { operationId, summary, parameters, requestBody, responses } }) {
  const id = literal(operationId);
  const path = [...route.matchAll(/\{(\w+)\}/g)].map(([, part]) => part);
  const query = parameters.filter((/** @type {any} */ it) => it.in === 'query').map((/** @type {any} */ it) => it.name);
  const fields = requestBody ? Object.keys(jsonOf(requestBody).properties ?? {}) : query;
  if (requestBody && query.length > 0) throw new Error(`${operationId} takes a body and a query`);
  const part = requestBody ? 'body' : 'query';
  const isTaken = fields.some((/** @type {string} */ field) => field !== 'export');
  const isOptional = !requestBody?.required;
  const types = Object.keys(responses['200'].content);

  const type = fields.includes('export') ? `Omit<${capital(part)}<${id}>, 'export'>` : fields.includes('organizationId') ? `Addressed<${id}>` : `${capital(part)}<${id}>`;
  const taken = [...path.map((it) => `${it}: string`), ...(isTaken ? [`${part}: ${type}${isOptional ? ' = {}' : ''}`] : []), 'options?: RequestOptions'].join(', ');
  const method = (/** @type {string} */ called, /** @type {string} */ says, /** @type {string} */ does) => `  /** ${says} */\n  ${called} = (${taken}) =>\n    ${does};\n`;
  /** @param {string} verb @param {string[]} [more] fields that the client adds */
  const made = (verb, more = []) => {
    const own = isTaken ? [`...${part}`] : [];
    const given = more.length > 0 ? [`${part}: { ${[...own, ...more].join(', ')} }`] : isTaken ? [part] : [];
    const input = [...(path.length > 0 ? [`params: { ${path.join(', ')} }`] : []), ...given];
    return `this.api.${verb}(${id}, ${input.length > 0 ? `{ ${input.join(', ')} }` : '{}'}, options)`;
  };

  const address = fields.includes('organizationId') ? ['organizationId: body.organizationId ?? this.api.organizationId ?? \'\''] : [];
  if (types.includes('application/x-ndjson')) return [method(name, summary, `fromNdjson(${made('stream', address)})`)];
  if (types.includes('text/event-stream')) return [method(name, summary, `fromServerSentEvents(${made('stream', address)})`)];
  if (query.includes('cursor')) return [method(name, summary, pagesOf(jsonOf(responses['200']), made('call', ['cursor'])))];
  return [
    method(name, summary, made('call', address)),
    ...(types.includes('text/csv') ? [method(`${name}Csv`, 'The same as a CSV file', made('csv', ["export: 'csv'"]))] : []),
  ];
}

/** @param {any} answer its schema @param {string} call */
function pagesOf({ properties: { data } }, call) {
  const [items] = Object.entries(data.properties).flatMap(([field, { type }]) => (type === 'array' ? [field] : []));
  const next = data.properties.nextCursor ? '({ nextCursor }) => nextCursor' : '({ pagination }) => pagination.nextCursor';
  return `new Pages((cursor = query.cursor) => ${call}, ({ ${items} }) => ${items}, ${next})`;
}

const capital = (/** @type {string} */ name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

module.exports = { sdkResources };

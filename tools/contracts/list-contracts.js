'use strict';

const path = require('node:path');

/** The one that the contracts themselves use. @type {typeof import('zod')} */
const { z } = require(require.resolve('zod', { paths: [path.resolve(__dirname, '..', '..', 'libs', 'contracts')] }));

/**
 * Everything that crosses a process's boundary, as plain JSON: what is compared and what is kept of a release.
 * @typedef {Record<string, Record<string, any>>} ContractsOfAKind name → parts
 * @typedef {Record<'rpc' | 'events' | 'http' | 'jobs' | 'messages' | 'streams' | 'consumers' | 'errors', ContractsOfAKind>} Contracts
 */

/** What goes through no RPC, fact or endpoint of ours and is read by another process all the same. */
const MESSAGES = ['aiEvent', 'classUpdate', 'errorBody', 'errorReply', 'eventEnvelope', 'pingEvent', 'publicEvent'];
/** What others write and we read. */
const FOREIGN = ['egressWebhook'];

const isSchema = (/** @type {unknown} */ value) => value instanceof z.ZodType;

/** @param {Record<string, any>} library what `@classroom/contracts` exports @returns {Contracts} */
function listContracts(library) {
  const found = [...everything(library), ...servicesOf(library).map((service) => library.healthRpc(service))];
  return {
    rpc: byName(found.filter((it) => isSchema(it.input) && isSchema(it.output)), (it) => it.subject, ({ input, output }) => ({
      request: schemaOf(input, 'input'),
      reply: schemaOf(output, 'output'),
    })),
    events: byName(found.filter((it) => isSchema(it.data) && it.subjectPrefix), (it) => it.subjectPrefix, ({ data, type }) => ({ type, ...bothWays(data) })),
    jobs: byName(found.filter((it) => isSchema(it.data) && it.queue), (it) => it.queue, ({ data }) => bothWays(data)),
    http: byName(found.filter((it) => it.operationId), (it) => `${it.method} ${it.path}`, (it) => ({
      auth: it.auth,
      bodyLimit: it.bodyLimit,
      requiresPlan: it.requiresPlan,
      produces: it.produces,
      ...Object.fromEntries(['params', 'query', 'body'].map((part) => [part, schemaOf(it[part], 'input')])),
      response: schemaOf(it.response, 'output'),
    })),
    messages: Object.fromEntries([
      ...MESSAGES.map((name) => [name, { reply: schemaOf(library[name], 'output') }]),
      ...Object.entries(library.PUBLIC_EVENTS).map(([type, data]) => [`webhook ${type}`, { reply: schemaOf(data, 'output') }]),
      ...FOREIGN.map((name) => [name, { request: schemaOf(library[name], 'input') }]),
    ]),
    streams: byName(Object.values(library.STREAMS), (it) => it.name, ({ subjects }) => ({ subjects })),
    consumers: byName(Object.values(library.CONSUMERS), (it) => it.durable, ({ stream, filterSubjects }) => ({ stream, subjects: filterSubjects })),
    errors: byName(Object.entries(library.ERRORS), ([code]) => code, ([, { kind }]) => ({ kind })),
  };
}

/** Exports, and one level below, where contracts of a noun stand together. @param {Record<string, any>} library @returns {any[]} */
function everything(library) {
  const isGroup = (/** @type {any} */ it) => it !== null && typeof it === 'object' && !Array.isArray(it) && !isSchema(it);
  return Object.values(library).filter(isGroup).flatMap((it) => [it, ...Object.values(it).filter(isGroup)]);
}

/** @param {Record<string, any>} library @returns {string[]} */
const servicesOf = (library) => [...new Set(everything(library).flatMap(({ subject, service }) => (subject && service ? [service] : [])))];

/** What is written, and what a reader insists on: the two differ where a default stands in for what is missing. @param {any} schema */
const bothWays = (schema) => ({ data: schemaOf(schema, 'output'), readAs: schemaOf(schema, 'input') });

/** @param {any[]} items @param {(item: any) => string} nameOf @param {(item: any) => any} partsOf @returns {ContractsOfAKind} */
const byName = (items, nameOf, partsOf) => Object.fromEntries(items.map((item) => [nameOf(item), partsOf(item)]).sort(([a], [b]) => (a < b ? -1 : 1)));

/** @param {any} schema @param {'input' | 'output'} io before or after defaults and transforms */
function schemaOf(schema, io) {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: tellDefault });
  return JSON.parse(JSON.stringify(json));
}

/** Zod leaves it out where a number is read from a text. @param {{ zodSchema: any, jsonSchema: any }} told */
function tellDefault({ zodSchema, jsonSchema }) {
  if (zodSchema instanceof z.ZodDefault && zodSchema.def.innerType instanceof z.ZodPreprocess) jsonSchema.default = zodSchema.def.defaultValue;
}

module.exports = { listContracts, schemaOf, z };

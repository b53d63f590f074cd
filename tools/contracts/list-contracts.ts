import { createRequire } from 'node:module';
import path from 'node:path';
import type { ZodType } from 'zod';
import type { Schema } from './json-schema.ts';

/** The one that the contracts themselves use. */
export const { z } = createRequire(path.resolve(import.meta.dirname, '..', '..', 'libs', 'contracts', 'package.json'))(
  'zod',
) as typeof import('zod');

/** Of a contract, by name: schemas and facts. */
export type Parts = Record<string, unknown>;

/** Everything that crosses a process's boundary, as plain JSON: what is compared and what is kept of a release. By kind and name. */
export type Contracts = Record<'rpc' | 'events' | 'http' | 'jobs' | 'messages' | 'streams' | 'consumers' | 'errors', Record<string, Parts>>;

/** What `@classroom/contracts` exports. */
export type Library = typeof import('@classroom/contracts');

type Service = Parameters<Library['healthRpc']>[0];

/** As it is built. */
export const builtLibrary = () => createRequire(import.meta.url)('../../libs/contracts/dist/index.js') as Library;

/** Whatever it exports may have, depending on its kind. */
interface Declared extends Parts {
  subject?: string;
  service?: string;
  subjectPrefix?: string;
  queue?: string;
  operationId?: string;
  method?: string;
  path?: string;
  type?: string;
}

/** What goes through no RPC, fact or endpoint of ours and is read by another process all the same. */
const MESSAGES = ['aiEvent', 'classUpdate', 'errorBody', 'errorReply', 'eventEnvelope', 'pingEvent', 'publicEvent'];
/** What others write and we read. */
const FOREIGN = ['egressWebhook'];

const isSchema = (value: unknown): value is ZodType => value instanceof z.ZodType;

export function listContracts(library: Library): Contracts {
  const exported: Record<string, unknown> = library;
  const found = [...everything(library), ...servicesOf(library).map((service): Declared => ({ ...library.healthRpc(service) }))];
  return {
    rpc: byName(
      found.filter((it) => isSchema(it['input']) && isSchema(it['output'])),
      (it) => it.subject,
      ({ input, output }) => ({
        request: schemaOf(input, 'input'),
        reply: schemaOf(output, 'output'),
      }),
    ),
    events: byName(
      found.filter((it) => isSchema(it['data']) && it.subjectPrefix),
      (it) => it.subjectPrefix,
      ({ data, type }) => ({ type, ...bothWays(data) }),
    ),
    jobs: byName(
      found.filter((it) => isSchema(it['data']) && it.queue),
      (it) => it.queue,
      ({ data }) => bothWays(data),
    ),
    http: byName(
      found.filter((it) => it.operationId),
      (it) => `${it.method} ${it.path}`,
      (it) => ({
        auth: it['auth'],
        bodyLimit: it['bodyLimit'],
        requiresPlan: it['requiresPlan'],
        produces: it['produces'],
        ...Object.fromEntries(['params', 'query', 'body'].map((part) => [part, schemaOf(it[part], 'input')])),
        response: schemaOf(it['response'], 'output'),
      }),
    ),
    messages: Object.fromEntries([
      ...MESSAGES.map((name) => [name, { reply: schemaOf(exported[name], 'output') }]),
      ...Object.entries(library.PUBLIC_EVENTS).map(([type, data]) => [`webhook ${type}`, { reply: schemaOf(data, 'output') }]),
      ...FOREIGN.map((name) => [name, { request: schemaOf(exported[name], 'input') }]),
    ]),
    streams: byName(
      Object.values(library.STREAMS),
      (it) => it.name,
      ({ subjects }) => ({ subjects }),
    ),
    consumers: byName(
      Object.values(library.CONSUMERS),
      (it) => it.durable,
      ({ stream, filterSubjects }) => ({ stream, subjects: filterSubjects }),
    ),
    errors: byName(
      Object.entries(library.ERRORS),
      ([code]) => code,
      ([, { kind }]) => ({ kind }),
    ),
  };
}

/** Exports, and one level below, where contracts of a noun stand together. */
function everything(library: Record<string, unknown>): Declared[] {
  const isGroup = (it: unknown): it is Declared => it !== null && typeof it === 'object' && !Array.isArray(it) && !isSchema(it);
  return Object.values(library)
    .filter(isGroup)
    .flatMap((it) => [it, ...Object.values(it).filter(isGroup)]);
}

const servicesOf = (library: Library) => [
  ...new Set(everything(library).flatMap(({ subject, service }) => (subject && service ? [service as Service] : []))),
];

/** What is written, and what a reader insists on: the two differ where a default stands in for what is missing. */
const bothWays = (schema: unknown) => ({ data: schemaOf(schema, 'output'), readAs: schemaOf(schema, 'input') });

const byName = <Item>(items: Item[], nameOf: (item: Item) => string | undefined, partsOf: (item: Item) => Parts): Record<string, Parts> =>
  Object.fromEntries(items.map((item): [string, Parts] => [nameOf(item) ?? '', partsOf(item)]).sort(([a], [b]) => (a < b ? -1 : 1)));

/** @param io before or after defaults and transforms */
export function schemaOf(schema: unknown, io: 'input' | 'output'): Schema {
  const { $schema: _, ...json } = z.toJSONSchema(schema as ZodType, { io, unrepresentable: 'any', override: tellDefault });
  return JSON.parse(JSON.stringify(json)) as Schema;
}

/** Zod leaves it out where a number is read from a text. */
function tellDefault({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: Pick<Schema, 'default'> }): void {
  if (zodSchema instanceof z.ZodDefault && zodSchema.def.innerType instanceof z.ZodPreprocess)
    jsonSchema.default = zodSchema.def.defaultValue;
}

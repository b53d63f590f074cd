import { createRequire } from 'node:module';
import path from 'node:path';
import type { ZodType } from 'zod';
import type { Schema } from './schema-changes.ts';

/** The zod instance of the contracts: `instanceof` fails for another one. */
export const { z } = createRequire(path.resolve(import.meta.dirname, '..', '..', 'libs', 'contracts', 'package.json'))(
  'zod',
) as typeof import('zod');

/** The compared parts of one contract, by name: schemas and plain values. */
export type Parts = Record<string, unknown>;

/** Everything that crosses a process boundary, as plain JSON, by kind and name. It is stored for each release and compared with the next. */
export type Contracts = Record<'rpc' | 'events' | 'http' | 'jobs' | 'messages' | 'streams' | 'consumers' | 'errors', Record<string, Parts>>;

/** The exports of `@classroom/contracts`. */
export type Library = typeof import('@classroom/contracts');

type Service = Parameters<Library['healthRpc']>[0];

/** The built library. */
export const builtLibrary = () => createRequire(import.meta.url)('../../libs/contracts/dist/index.js') as Library;

/** The fields that an export may have, depending on its kind. */
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

/** Schemas that another process reads although they belong to none of our RPCs, events or endpoints. */
const MESSAGES = ['aiEvent', 'auditedCall', 'classUpdate', 'errorBody', 'errorReply', 'eventEnvelope', 'pingEvent', 'publicEvent'];
/** Schemas of messages that other systems write and we read. */
const FOREIGN = ['egressWebhook'];

const isSchema = (value: unknown): value is ZodType => value instanceof z.ZodType;

export function listContracts(library: Library): Contracts {
  const exported: Record<string, unknown> = library;
  const found = [...membersOf(library), ...servicesOf(library).map((service): Declared => ({ ...library.healthRpc(service) }))];
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

/** All exports, and the members of exported groups. */
export function membersOf(library: Record<string, unknown>): Declared[] {
  const isGroup = (it: unknown): it is Declared => it !== null && typeof it === 'object' && !Array.isArray(it) && !isSchema(it);
  return Object.values(library)
    .filter(isGroup)
    .flatMap((it) => [it, ...Object.values(it).filter(isGroup)]);
}

const servicesOf = (library: Library) => [
  ...new Set(membersOf(library).flatMap(({ subject, service }) => (subject && service ? [service as Service] : []))),
];

/** The schema of what is written and of what a reader requires. They differ where a default replaces a missing field. */
const bothWays = (schema: unknown) => ({ data: schemaOf(schema, 'output'), readAs: schemaOf(schema, 'input') });

const byName = <Item>(items: Item[], nameOf: (item: Item) => string | undefined, partsOf: (item: Item) => Parts): Record<string, Parts> =>
  Object.fromEntries(items.map((item): [string, Parts] => [nameOf(item) ?? '', partsOf(item)]).sort(([a], [b]) => (a < b ? -1 : 1)));

/** @param io `input`: before defaults and transforms; `output`: after them */
export function schemaOf(schema: unknown, io: 'input' | 'output'): Schema {
  const { $schema: _, ...json } = z.toJSONSchema(schema as ZodType, { io, unrepresentable: 'any', override: addDefault });
  return JSON.parse(JSON.stringify(json)) as Schema;
}

/** Adds the default where zod omits it: for a number that is read from text. */
function addDefault({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: Pick<Schema, 'default'> }): void {
  if (zodSchema instanceof z.ZodDefault && zodSchema.def.innerType instanceof z.ZodPreprocess)
    jsonSchema.default = zodSchema.def.defaultValue;
}

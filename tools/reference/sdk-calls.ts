import type { Schema } from '../contracts/schema-changes.ts';
import type { OpenApi, Operation } from './open-api.ts';
import { type BackendCall, backendCalls, jsonOf, sentenceOf } from './sdk-types.ts';

/** Resources whose class is written by hand in each client: `events` takes `types` as an array, pages by `after` and streams. */
export const HAND_WRITTEN = new Set(['events']);

/** A method of a client, whatever its language. Its parameters are the parts of the path, then the body or the query, then options. */
export interface SdkCall {
  /** In camel case. */
  name: string;
  route: string;
  operation: Operation;
  description: string;
  /** Names of the parts of the path. */
  path: string[];
  part: 'body' | 'query';
  /** Whether the body or the query has fields for the caller to give, and whether all of them may be left out. */
  isTaken: boolean;
  isOptional: boolean;
  /** Whether the body or the query has the field `export`, which a method of its own gives. */
  hasExport: boolean;
  /** Whether the body needs `organizationId`, which the client may add. */
  isAddressed: boolean;
  /** Whether the body has `responseType`, for which the client asks for text: the API's own default has audio too. */
  asksForText: boolean;
  answer: 'json' | 'pages' | 'pdf' | 'ndjson' | 'server-sent events';
  /** Whether the answer may also be a CSV file. */
  hasCsv: boolean;
  /** Whether the query chooses a file in place of JSON: a method of its own takes it. */
  hasFile: boolean;
  /** For pages: the field with the list, and whether `nextCursor` is in `pagination`. */
  pages?: { items: string; isInPagination: boolean };
}

export interface Resource {
  calls: SdkCall[];
  /** By name, in camel case. */
  resources: Map<string, Resource>;
}

/**
 * All methods of a client, under the names that the contracts give them.
 * @param endpoints those that the document describes
 * @throws if a backend call has no name, or two calls have the same name
 */
export function resourcesOf(
  endpoints: readonly { operationId: string; sdk?: string | undefined }[],
  document: Pick<OpenApi, 'paths'> & Partial<Pick<OpenApi, 'components'>>,
): Resource {
  const named = document.components?.schemas ?? {};
  const names = new Map(endpoints.flatMap(({ operationId, sdk }) => (sdk ? [[operationId, sdk] as const] : [])));
  const calls = backendCalls(document);
  const missing = calls.map(({ operation }) => operation.operationId).filter((id) => !names.has(id));
  if (missing.length > 0) throw new Error(`no \`sdk\` names the method of ${missing.join(', ')}`);
  if (names.size > calls.length) throw new Error('an `sdk` names the method of what no backend calls');
  if (new Set(names.values()).size < names.size) throw new Error('an `sdk` names two methods');
  const all: Resource = { calls: [], resources: new Map() };
  for (const call of calls) {
    const path = (names.get(call.operation.operationId) ?? '').split('.');
    const name = path.pop() ?? '';
    const resource = path.reduce(({ resources }, part) => {
      const found = resources.get(part) ?? { calls: [], resources: new Map<string, Resource>() };
      resources.set(part, found);
      return found;
    }, all);
    if (!HAND_WRITTEN.has(path[0] ?? '')) resource.calls.push(callOf(name, call, named));
  }
  return all;
}

function callOf(name: string, { route, operation }: BackendCall, named: Record<string, Schema>): SdkCall {
  const { operationId, parameters, requestBody, responses } = operation;
  const query = parameters.filter((it) => it.in === 'query').map((it) => it.name);
  if (requestBody && query.length > 0) throw new Error(`${operationId} takes a body and a query`);
  const body = requestBody ? jsonOf(requestBody) : {};
  const alternatives = body.properties ? [body] : (body.oneOf ?? []);
  const fields = requestBody ? alternatives.flatMap(({ properties = {} }) => Object.keys(properties)) : query;
  const types = Object.keys(responses['200'].content);
  const pages = query.includes('cursor') ? { pages: pagesOf(operationId, jsonOf(responses['200']), named) } : {};
  return {
    name,
    route,
    operation,
    description: sentenceOf(operation),
    path: [...route.matchAll(/\{(\w+)\}/g)].map(([, part = '']) => part),
    part: requestBody ? 'body' : 'query',
    isTaken: fields.some((field) => field !== 'export'),
    isOptional: !requestBody?.required,
    hasExport: fields.includes('export'),
    isAddressed: (body.required ?? []).includes('organizationId'),
    asksForText: fields.includes('responseType'),
    answer:
      types[0] === 'application/pdf'
        ? 'pdf'
        : types.includes('application/x-ndjson')
          ? 'ndjson'
          : types.includes('text/event-stream')
            ? 'server-sent events'
            : pages.pages
              ? 'pages'
              : 'json',
    hasCsv: types.includes('text/csv'),
    hasFile: types[0] === 'application/json' && types.includes('application/pdf'),
    ...pages,
  };
}

/** @param answer schema of the response @throws if its data has no list */
function pagesOf(operationId: string, answer: Schema, named: Record<string, Schema>): NonNullable<SdkCall['pages']> {
  const fields = fieldsOf(answer.properties?.['data'] ?? {}, named);
  const [items] = Object.entries(fields).flatMap(([field, { type }]) => (type === 'array' ? [field] : []));
  if (!items) throw new Error(`no list in the pages of ${operationId}`);
  return { items, isInPagination: !fields['nextCursor'] };
}

const fieldsOf = (data: Schema, named: Record<string, Schema>) =>
  (data.$ref ? named[data.$ref.split('/').at(-1) ?? ''] : data)?.properties ?? {};

export const capital = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

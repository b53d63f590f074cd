import type { Schema } from '../contracts/json-schema.ts';
import type { OpenApi } from './open-api.ts';
import { backendCalls, jsonOf, sentenceOf, type BackendCall } from './sdk-types.ts';
import { literal } from './typescript.ts';

/** Resources with a hand-written class in `libs/sdk/src/<name>.ts`: `events` takes `types` as an array, pages by `after` and streams. */
const HAND_WRITTEN = new Set(['events']);

interface Resource {
  /** Source text of the methods, in TypeScript. */
  methods: string[];
  resources: Map<string, Resource>;
}

/**
 * The methods of a client of `@virtual-classroom/sdk`, under the names that the contracts give them.
 * @param endpoints those that the document describes
 * @param root name of the class with all resources
 * @throws if a backend call has no name, or two calls have the same name
 */
export function sdkResources(
  endpoints: readonly { operationId: string; sdk?: string | undefined }[],
  document: Pick<OpenApi, 'paths'> & Partial<Pick<OpenApi, 'components'>>,
  root = 'Resources',
): string {
  const named = document.components?.schemas ?? {};
  const names = new Map(endpoints.flatMap(({ operationId, sdk }) => (sdk ? [[operationId, sdk] as const] : [])));
  const calls = backendCalls(document);
  const missing = calls.map(({ operation }) => operation.operationId).filter((id) => !names.has(id));
  if (missing.length > 0) throw new Error(`no \`sdk\` names the method of ${missing.join(', ')}`);
  if (names.size > calls.length) throw new Error('an `sdk` names the method of what no backend calls');
  if (new Set(names.values()).size < names.size) throw new Error('an `sdk` names two methods');
  const all: Resource = { methods: [], resources: new Map() };
  for (const call of calls) {
    const path = (names.get(call.operation.operationId) ?? '').split('.');
    const name = path.pop() ?? '';
    const resource = path.reduce(({ resources }, part) => {
      const found = resources.get(part) ?? { methods: [], resources: new Map<string, Resource>() };
      resources.set(part, found);
      return found;
    }, all);
    if (!HAND_WRITTEN.has(path[0] ?? '')) resource.methods.push(...methodsOf(name, call, named));
  }
  const classes = classesOf(root, all);
  const imported = [
    importOf('./answers.js', ['fromNdjson', 'fromServerSentEvents'], classes),
    ...[...HAND_WRITTEN].map((name) => importOf(`./${name}.js`, [capital(name)], classes)),
    importOf('./operation.js', ['Addressed', 'Body', 'Query'], classes, 'import type'),
    importOf('./pages.js', ['Pages'], classes),
  ];
  return `/* eslint-disable max-lines */
// Written by \`npm run reference\` from the contracts.
${imported.join('')}import type { RequestOptions, Transport } from './transport.js';

class Resource {
  constructor(protected readonly api: Transport) {}
}
${classes}`;
}

/** An import of those names that the text uses; empty if it uses none. */
function importOf(file: string, names: string[], text: string, keyword = 'import'): string {
  const used = names.filter((name) => new RegExp(`\\b${name}[<(]`).test(text));
  return used.length === 0 ? '' : `${keyword} { ${used.join(', ')} } from '${file}';\n`;
}

/** @param prefix of the class names of nested resources */
function classesOf(name: string, { methods, resources }: Resource, prefix = ''): string {
  const inner = [...resources].map(([field, resource]) => ({ field, type: `${prefix}${capital(field)}`, resource }));
  const fields = inner.map(({ field, type }) => `  readonly ${field} = new ${type}(this.api);\n`).join('');
  const written = `\nexport class ${name} extends Resource {\n${[fields, ...methods].filter((it) => it !== '').join('\n')}}\n`;
  return (
    written +
    inner
      .filter(({ field }) => !HAND_WRITTEN.has(field))
      .map(({ type, resource }) => classesOf(type, resource, type))
      .join('')
  );
}

/** The parameters of a method are the parts of the path, then the body or the query, then options. */
function methodsOf(name: string, { route, operation }: BackendCall, named: Record<string, Schema>): string[] {
  const { operationId, parameters, requestBody, responses } = operation;
  const description = sentenceOf(operation);
  const id = literal(operationId);
  const path = [...route.matchAll(/\{(\w+)\}/g)].map(([, part]) => part);
  const query = parameters.filter((it) => it.in === 'query').map((it) => it.name);
  const fields = requestBody ? Object.keys(jsonOf(requestBody).properties ?? {}) : query;
  if (requestBody && query.length > 0) throw new Error(`${operationId} takes a body and a query`);
  const part = requestBody ? 'body' : 'query';
  const isTaken = fields.some((field) => field !== 'export');
  const isOptional = !requestBody?.required;
  const types = Object.keys(responses['200'].content);
  const isAddressed = requestBody !== undefined && (jsonOf(requestBody).required ?? []).includes('organizationId');

  const type = fields.includes('export')
    ? `Omit<${capital(part)}<${id}>, 'export'>`
    : isAddressed
      ? `Addressed<${id}>`
      : `${capital(part)}<${id}>`;
  const taken = [
    ...path.map((it) => `${it}: string`),
    ...(isTaken ? [`${part}: ${type}${isOptional ? ' = {}' : ''}`] : []),
    'options?: RequestOptions',
  ].join(', ');
  const method = (called: string, summary: string, does: string) => `  /** ${summary} */\n  ${called} = (${taken}) =>\n    ${does};\n`;
  /** @param more fields that the client adds to the input */
  const made = (verb: string, more: string[] = []) => {
    const own = isTaken ? [`...${part}`] : [];
    const given = more.length > 0 ? [`${part}: { ${[...own, ...more].join(', ')} }`] : isTaken ? [part] : [];
    const input = [...(path.length > 0 ? [`params: { ${path.join(', ')} }`] : []), ...given];
    return `this.api.${verb}(${id}, ${input.length > 0 ? `{ ${input.join(', ')} }` : '{}'}, options)`;
  };

  const address = isAddressed ? ["organizationId: body.organizationId ?? this.api.organizationId ?? ''"] : [];
  if (types.includes('application/pdf')) return [method(name, description, made('pdf'))];
  if (types.includes('application/x-ndjson')) return [method(name, description, `fromNdjson(${made('stream', address)})`)];
  if (types.includes('text/event-stream')) return [method(name, description, `fromServerSentEvents(${made('stream', address)})`)];
  const answer = query.includes('cursor') ? pagesOf(jsonOf(responses['200']), made('call', ['cursor']), named) : made('call', address);
  return [
    method(name, description, answer),
    ...(types.includes('text/csv') ? [method(`${name}Csv`, 'The same as a CSV file', made('csv', ["export: 'csv'"]))] : []),
  ];
}

/** @param answer schema of the response @throws if its data has no list */
function pagesOf(answer: Schema, call: string, named: Record<string, Schema>): string {
  const data = answer.properties?.['data'] ?? {};
  const fields = (data.$ref ? named[data.$ref.split('/').at(-1) ?? ''] : data)?.properties ?? {};
  const [items] = Object.entries(fields).flatMap(([field, { type }]) => (type === 'array' ? [field] : []));
  if (!items) throw new Error(`no list in the pages of ${call}`);
  const next = fields['nextCursor'] ? '({ nextCursor }) => nextCursor' : '({ pagination }) => pagination.nextCursor';
  return `new Pages((cursor = query.cursor) => ${call}, ({ ${items} }) => ${items}, ${next})`;
}

const capital = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

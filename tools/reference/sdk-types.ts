import type { Schema } from '../contracts/schema-changes.ts';
import type { Content, OpenApi, Operation } from './open-api.ts';
import { bracketed, field, literal, typeOf } from './typescript.ts';

const JSON_TYPE = 'application/json';

/**
 * The TypeScript types of `@virtual-classroom/sdk`, from the reference: the calls that a backend makes with its organization's credentials
 * or without credentials and those of operators, the error codes and the events. Calls that participants make with their own tokens are left
 * out.
 * @param documents the public reference first
 */
export function sdkTypes(documents: OpenApi[]): string {
  const operations = documents.flatMap(backendCalls);
  const named = schemasOf(documents);
  const used = entityNames(documents);
  return `/* eslint-disable max-lines */
// Written by \`npm run generate -- reference\` from docs/reference.
import type { ${used.join(', ')} } from './entities.js';

/** Method and path of every call. */
export const ROUTES = {
${operations.map(({ operation, route }) => `  ${operation.operationId}: ${literal(route)},\n`).join('')}} as const;

/** What every call takes, and the whole JSON body of its answer. */
export interface Operations {
${operations.map(({ operation }) => `  /** ${sentenceOf(operation)} */\n  ${operation.operationId}: ${callOf(operation, named)};\n`).join('')}}

/** The data of every event, by its type. */
export interface EventData {
${documents
  .flatMap(({ webhooks = {} }) => Object.entries(webhooks))
  .map(([type, { post }]) => `  ${literal(type)}: ${typeOf(jsonOf(post.requestBody).properties?.['data'], named, '  ')};\n`)
  .join('')}}

/** What \`code\` of an error may be. */
export type ErrorCode =
${codesOf(documents)
  .map((code) => `  | ${literal(code)}`)
  .join('\n')};
`;
}

/** The TypeScript types of the named objects in the answers of a backend's calls and in events. */
export function sdkEntities(documents: OpenApi[]): string {
  const schemas = schemasOf(documents);
  const declared = entityNames(documents, true).map((name) => {
    const { description = '', ...schema } = schemas[name] ?? {};
    return `\n/** ${description} */\n${schema.properties ? interfaceOf(name, schema, schemas) : `export type ${name} = ${typeOf(schema, schemas)};`}\n`;
  });
  return `/* eslint-disable max-lines */\n// Written by \`npm run generate -- reference\` from docs/reference.\n${declared.join('')}`;
}

function interfaceOf(name: string, { properties = {}, required = [] }: Schema, named: Record<string, Schema>): string {
  const fields = Object.entries(properties).map(([key, schema]) => {
    const description = schema.description ? `  /** ${schema.description} */\n` : '';
    return `${description}  ${field(key, required.includes(key), typeOf(schema, named, '  '))};\n`;
  });
  return `export interface ${name} {\n${fields.join('')}}`;
}

/** @param isDeep with the objects within named objects @returns the names in the answers of a backend's calls and in events */
export function entityNames(documents: OpenApi[], isDeep = false): string[] {
  const schemas = schemasOf(documents);
  const found = new Set<string>();
  const collect = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      if (isDeep) collect(schemas[name]);
    }
  };
  for (const { operation } of documents.flatMap(backendCalls)) collect(operation.responses['200'].content);
  for (const { webhooks = {} } of documents) collect(webhooks);
  return [...found].sort();
}

export const schemasOf = (documents: OpenApi[]) =>
  Object.assign({}, ...documents.map(({ components }) => components.schemas)) as Record<string, Schema>;

/** What a call does, without the table of its errors. */
export const sentenceOf = ({ description }: Operation) => description.split('\n\n')[0] ?? '';

export interface BackendCall {
  route: string;
  operation: Operation;
}

/** The calls that a backend of an organization or of an operator makes. */
export const backendCalls = ({ paths }: Pick<OpenApi, 'paths'>): BackendCall[] =>
  Object.entries(paths).flatMap(([at, item]) =>
    Object.entries(item)
      .filter(([, { security }]) => isBackends(security))
      .map(([method, operation]) => ({ route: `${method.toUpperCase()} ${at}`, operation })),
  );

const isBackends = (security: Record<string, unknown>[]) =>
  security.length === 0 || security.some((scheme) => 'credential' in scheme || 'dispatchSecret' in scheme);

export const jsonOf = ({ content }: Content): Schema => (content[JSON_TYPE] ?? Object.values(content)[0])?.schema ?? {};

function callOf({ parameters, requestBody, responses }: Operation, named: Record<string, Schema>) {
  const fields = (indent: string) => {
    const written = ['path', 'query'].flatMap((place) => {
      const of = parameters.filter((it) => it.in === place);
      const isRequired = of.some((it) => it.required);
      const type = () => bracketed((deeper) => of.map((it) => field(it.name, it.required, typeOf(it.schema, named, deeper))), indent);
      return of.length === 0 ? [] : [field(place === 'path' ? 'params' : place, isRequired, type())];
    });
    if (requestBody) written.push(field('body', requestBody.required, typeOf(jsonOf(requestBody), named, indent)));
    return [...written, field('answer', true, typeOf(jsonOf(responses['200']), named, indent))];
  };
  return bracketed(fields, '  ');
}

/** @returns all error codes that any call of the reference documents */
export function codesOf(documents: OpenApi[]): string[] {
  const codes = documents
    .flatMap(({ components }) => Object.values(components.responses))
    .flatMap((response) => (jsonOf(response).allOf?.[1]?.properties?.['error']?.enum ?? []) as string[]);
  return [...new Set(codes)].sort();
}

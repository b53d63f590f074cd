import type { Schema } from '../contracts/schema-changes.ts';
import type { OpenApi, Operation } from './open-api.ts';
import { literal, PythonTypes } from './python.ts';
import { capital, type SdkCall } from './sdk-calls.ts';
import { backendCalls, codesOf, entityNames, jsonOf, schemasOf } from './sdk-types.ts';

/** The names of an operation's types. */
export const nameOf = ({ operationId }: Operation, part: 'body' | 'query' | 'data') => `${capital(operationId)}${capital(part)}`;

/**
 * The types of the Python SDK, from the reference: the same calls, events and objects as the TypeScript SDK has.
 * @param documents the public reference first
 */
export function pythonTypes(documents: OpenApi[]): string {
  const named = schemasOf(documents);
  const types = new PythonTypes(named);
  for (const name of entityNames(documents, true)) types.declare(name, named[name] ?? {});
  for (const { operation } of documents.flatMap(backendCalls)) {
    const { parameters, requestBody, responses } = operation;
    const query = parameters.filter((it) => it.in === 'query');
    if (query.length > 0) types.declare(nameOf(operation, 'query'), withoutExport(objectOf(query)));
    if (requestBody) types.declare(nameOf(operation, 'body'), withoutExport(jsonOf(requestBody)));
    const data = dataOf(jsonOf(responses['200']), named);
    if (data && !data.$ref) types.declare(nameOf(operation, 'data'), data);
  }
  const events = documents.flatMap(({ webhooks = {} }) => Object.entries(webhooks));
  const eventTypes = events.map(([type, { post }]) => {
    const name = `${type.split(/[._]/).map(capital).join('')}Event`;
    types.declare(name, jsonOf(post.requestBody));
    return name;
  });
  types.alias('HistoryEvent', eventTypes.join(' | '), 'An event of the organization’s history.');
  return `# Written by \`npm run generate -- reference\` from docs/reference.
"""The objects of the API, as dictionaries with the API's own field names."""

from __future__ import annotations

from typing import Any, Literal, Mapping, NotRequired, Sequence, TypeAlias, TypedDict

ErrorCode: TypeAlias = Literal[
${codesOf(documents)
  .map((code) => `    ${literal(code)},\n`)
  .join('')}]

EventType: TypeAlias = Literal[
${events.map(([type]) => `    ${literal(type)},\n`).join('')}]


${types.text}`;
}

/** The types of an answer's data and of the items of its pages. */
export function answerTypesOf({ operation, pages }: SdkCall, named: Record<string, Schema>): { data: string; item: string } {
  const data = dataOf(jsonOf(operation.responses['200']), named);
  const name = refOf(data) ?? nameOf(operation, 'data');
  const list = pages ? (named[name] ?? data)?.properties?.[pages.items] : undefined;
  return { data: name, item: refOf(list?.items) ?? `${name}${capital(pages?.items ?? '')}Item` };
}

const refOf = (schema: Schema | undefined) => schema?.$ref?.split('/').at(-1);

/** An answer without `data` is returned without the fields of the envelope. */
function dataOf(schema: Schema, named: Record<string, Schema>): Schema | undefined {
  const answer = named[refOf(schema) ?? ''] ?? schema;
  const { properties, required = [] } = answer;
  if (!properties) return undefined;
  if (properties['data']) return properties['data'];
  const rest = Object.fromEntries(Object.entries(properties).filter(([name]) => name !== 'success' && name !== 'warnings'));
  return { ...answer, properties: rest, required: required.filter((name) => name !== 'success') };
}

/** The client adds the organization. `export` has a method of its own. */
function withoutExport(schema: Schema): Schema {
  if (!schema.properties) return schema;
  const { export: _, ...properties } = schema.properties;
  return { ...schema, properties, required: (schema.required ?? []).filter((name) => name !== 'organizationId') };
}

const objectOf = (parameters: Operation['parameters']): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    parameters.map(({ name, schema, description }) => [name, { ...schema, ...(description ? { description } : {}) }]),
  ),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
});

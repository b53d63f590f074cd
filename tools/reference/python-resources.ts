import type { Schema } from '../contracts/schema-changes.ts';
import type { OpenApi } from './open-api.ts';
import { answerTypesOf, nameOf } from './python-types.ts';
import { docstring, literal, snakeCase } from './python.ts';
import { capital, HAND_WRITTEN, type Resource, resourcesOf, type SdkCall } from './sdk-calls.ts';

interface Form {
  isAsync: boolean;
  /** Before the names of classes. */
  prefix: 'Async' | '';
}
const FORMS: Form[] = [
  { isAsync: false, prefix: '' },
  { isAsync: true, prefix: 'Async' },
];

/**
 * The methods of the clients of the Python SDK, for synchronous and for asynchronous code.
 * @param root name of the class with all resources
 * @throws as `resourcesOf`
 */
export function pythonResources(
  endpoints: readonly { operationId: string; sdk?: string | undefined }[],
  document: Pick<OpenApi, 'paths' | 'components'>,
  root = 'Resources',
): string {
  const all = resourcesOf(endpoints, document);
  const classes = FORMS.map((form) => classesOf(root, all, form, document.components.schemas)).join('');
  const imports = [
    ['._answers', ['NdjsonAnswer', 'ServerSentAnswer', 'AnswerEvent', 'read_answer', 'read_answer_async']],
    ['._events', ['AsyncEvents', 'Events']],
    ['._pages', ['AsyncPages', 'Pages', 'with_cursor']],
    ['._request', ['RequestOptions']],
    ['._transport', ['AsyncTransport', 'Transport']],
  ] as const;
  const imported = imports.flatMap(([file, names]) => {
    const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(classes));
    return used.length > 0 ? [`from ${file} import ${used.join(', ')}\n`] : [];
  });
  const typing = ['AsyncGenerator', 'Generator', 'Unpack', 'cast'].filter((name) => new RegExp(`\\b${name}\\b`).test(classes));
  return `# Written by \`npm run generate -- reference\` from the contracts.
"""The methods of the clients."""

from __future__ import annotations

from typing import ${typing.join(', ')}

from . import types
${imported.join('')}${classes}`;
}

/** A class after the classes that it uses. @param within of nested resources: the name of the outer one */
function classesOf(name: string, { calls, resources }: Resource, form: Form, named: Record<string, Schema>, within = ''): string {
  const { prefix } = form;
  const inner = [...resources].map(([field, resource]) => ({ field, type: `${within}${capital(field)}`, resource }));
  const before = inner
    .filter(({ field }) => !HAND_WRITTEN.has(field))
    .map(({ type, resource }) => classesOf(type, resource, form, named, type))
    .join('');
  const fields = inner.map(({ field, type }) => `        self.${snakeCase(field)} = ${prefix}${type}(api)\n`).join('');
  const methods = calls.flatMap((call) => methodsOf(call, form, named)).map((method) => `\n${method}`);
  return `${before}

class ${prefix}${name}:
    def __init__(self, api: ${prefix}Transport) -> None:
        self._api = api
${fields}${methods.join('')}`;
}

function methodsOf(call: SdkCall, { isAsync, prefix }: Form, named: Record<string, Schema>): string[] {
  const { name, route, operation, description, path, part, isTaken, isOptional, isAddressed, asksForText, answer, hasCsv, hasFile, pages } =
    call;
  const [verb = '', template = ''] = route.split(' ');
  const [def, wait] = isAsync ? ['async def', 'await '] : ['def', ''];
  const type = `types.${nameOf(operation, part)}`;
  const parametersWith = (input: string[]) =>
    ['self', ...path.map((it) => `${snakeCase(it)}: str`), ...input, '**options: Unpack[RequestOptions]'].join(', ');
  const parameters = parametersWith(isTaken ? [`${part}: ${type}${isOptional ? ' | None = None' : ''}`] : []);
  const params = path.length > 0 ? [`params={${path.map((it) => `${literal(it)}: ${snakeCase(it)}`).join(', ')}}`] : [];
  /** @param given the body or the query, unless it is the caller's own */
  const made = (does: string, given = isOptional && part === 'body' ? 'body or {}' : part, takes = isTaken) => {
    const isGiven = takes || given !== part;
    const input = [literal(verb), literal(template), ...params, ...(isGiven ? [`${part}=${given}`] : []), 'options=options'];
    return `self._api.${does}(${input.join(', ')})`;
  };
  const method = (kind: string, called: string, summary: string, result: string, lines: string[], taken = parameters) =>
    `    ${kind} ${snakeCase(called)}(${taken}) -> ${result}:\n        ${docstring(summary)}\n${lines.map((line) => (line ? `        ${line}\n` : '\n')).join('')}`;

  const added = [
    ...(isAddressed ? ['"organizationId": self._api.credential or ""'] : []),
    ...(asksForText ? ['"responseType": body.get("responseModality", "text")'] : []),
  ];
  const given = added.length > 0 ? `{${added.join(', ')}, **body}` : undefined;
  if (answer === 'pdf') return [method(def, name, description, 'bytes', [`return ${wait}${made('pdf')}`])];
  if (answer === 'ndjson' || answer === 'server-sent events') {
    const reader = answer === 'ndjson' ? 'NdjsonAnswer' : 'ServerSentAnswer';
    const result = isAsync ? 'AsyncGenerator[AnswerEvent, None]' : 'Generator[AnswerEvent, None, None]';
    const read = isAsync ? 'read_answer_async' : 'read_answer';
    return [method('def', name, description, result, [`return ${read}(${made('stream', given)}, ${reader}())`])];
  }
  const answered = answerTypesOf(call, named);
  const data = `types.${answered.data}`;
  if (hasFile) {
    const json = [`return cast(${data}, ${wait}${made('call', part, false)})`];
    const file = [`return ${wait}${made('file')}`];
    return [
      method(def, name, `${description} This method returns the JSON.`, data, json, parametersWith([])),
      method(def, `${name}File`, 'The same as the bytes of a file, by its `format`.', 'bytes', file, parametersWith([`${part}: ${type}`])),
    ];
  }
  const csv = isTaken ? `{**(${part} or {}), "export": "csv"}` : '{"export": "csv"}';
  const extra = hasCsv ? [method(def, `${name}Csv`, 'The same as a CSV file.', 'str', [`return ${wait}${made('csv', csv)}`])] : [];
  if (pages) {
    const next = `page${pages.isInPagination ? '["pagination"]' : ''}.get("nextCursor")`;
    return [
      method('def', name, description, `${prefix}Pages[${data}, types.${answered.item}]`, [
        '',
        `${def} fetch(cursor: str | None) -> ${data}:`,
        `    return cast(${data}, ${wait}${made('call', 'with_cursor(query, cursor)')})`,
        '',
        `return ${prefix}Pages(fetch, lambda page: page[${literal(pages.items)}], lambda page: ${next})`,
      ]),
      ...extra,
    ];
  }
  return [method(def, name, description, data, [`return cast(${data}, ${wait}${made('call', given)})`]), ...extra];
}

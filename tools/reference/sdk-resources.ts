import type { OpenApi } from './open-api.ts';
import { capital, HAND_WRITTEN, type Resource, resourcesOf, type SdkCall } from './sdk-calls.ts';
import { literal } from './typescript.ts';

/**
 * The methods of a client of `@virtual-classroom/sdk`.
 * @param root name of the class with all resources
 * @throws as `resourcesOf`
 */
export function sdkResources(
  endpoints: readonly { operationId: string; sdk?: string | undefined }[],
  document: Pick<OpenApi, 'paths'> & Partial<Pick<OpenApi, 'components'>>,
  root = 'Resources',
): string {
  const classes = classesOf(root, resourcesOf(endpoints, document));
  const imported = [
    importOf('./answers.js', ['fromNdjson', 'fromServerSentEvents'], classes),
    ...[...HAND_WRITTEN].map((name) => importOf(`./${name}.js`, [capital(name)], classes)),
    importOf('./operation.js', ['Addressed', 'Body', 'Query'], classes, 'import type'),
    importOf('./pages.js', ['Pages'], classes),
  ];
  return `/* eslint-disable max-lines */
// Written by \`npm run generate -- reference\` from the contracts.
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
function classesOf(name: string, { calls, resources }: Resource, prefix = ''): string {
  const inner = [...resources].map(([field, resource]) => ({ field, type: `${prefix}${capital(field)}`, resource }));
  const fields = inner.map(({ field, type }) => `  readonly ${field} = new ${type}(this.api);\n`).join('');
  const written = `\nexport class ${name} extends Resource {\n${[fields, ...calls.flatMap(methodsOf)].filter((it) => it !== '').join('\n')}}\n`;
  return (
    written +
    inner
      .filter(({ field }) => !HAND_WRITTEN.has(field))
      .map(({ type, resource }) => classesOf(type, resource, type))
      .join('')
  );
}

function methodsOf(call: SdkCall): string[] {
  const {
    name,
    operation,
    description,
    path,
    part,
    isTaken,
    isOptional,
    hasExport,
    isAddressed,
    asksForText,
    answer,
    hasCsv,
    hasFile,
    pages,
  } = call;
  const id = literal(operation.operationId);
  const type = hasExport ? `Omit<${capital(part)}<${id}>, 'export'>` : isAddressed ? `Addressed<${id}>` : `${capital(part)}<${id}>`;
  const takenWith = (input: string[]) => [...path.map((it) => `${it}: string`), ...input, 'options?: RequestOptions'].join(', ');
  const taken = takenWith(isTaken ? [`${part}: ${type}${isOptional ? ' = {}' : ''}`] : []);
  const method = (called: string, summary: string, does: string, parameters = taken) =>
    `  /** ${summary} */\n  ${called} = (${parameters}) =>\n    ${does};\n`;
  /** @param more fields that the client adds to the input */
  const made = (verb: string, more: string[] = [], isGiven = isTaken) => {
    const own = isGiven ? [`...${part}`] : [];
    const given = more.length > 0 ? [`${part}: { ${[...own, ...more].join(', ')} }`] : isGiven ? [part] : [];
    const input = [...(path.length > 0 ? [`params: { ${path.join(', ')} }`] : []), ...given];
    return `this.api.${verb}(${id}, ${input.length > 0 ? `{ ${input.join(', ')} }` : '{}'}, options)`;
  };

  const added = [
    ...(isAddressed ? ["organizationId: body.organizationId ?? this.api.credential ?? ''"] : []),
    ...(asksForText ? ["responseType: body.responseType ?? body.responseModality ?? 'text'"] : []),
  ];
  if (answer === 'pdf') return [method(name, description, made('pdf'))];
  if (hasFile)
    return [
      method(name, `${description} This method returns the JSON.`, made('call', [], false), takenWith([])),
      method(`${name}File`, 'The same as the bytes of a file, by its `format`', made('file'), takenWith([`${part}: ${type}`])),
    ];
  if (answer === 'ndjson') return [method(name, description, `fromNdjson(${made('stream', added)})`)];
  if (answer === 'server-sent events') return [method(name, description, `fromServerSentEvents(${made('stream', added)})`)];
  const answered = pages ? pagesOf(pages, made('call', ['cursor'])) : made('call', added);
  return [
    method(name, description, answered),
    ...(hasCsv ? [method(`${name}Csv`, 'The same as a CSV file', made('csv', ["export: 'csv'"]))] : []),
  ];
}

function pagesOf({ items, isInPagination }: NonNullable<SdkCall['pages']>, call: string): string {
  const next = isInPagination ? '({ pagination }) => pagination.nextCursor' : '({ nextCursor }) => nextCursor';
  return `new Pages((cursor = query.cursor) => ${call}, ({ ${items} }) => ${items}, ${next})`;
}

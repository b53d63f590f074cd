import type { EndpointAuth, EndpointContract } from '@classroom/contracts';
import { jsonSchema, propertiesOf } from './schema.js';

interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** The header of each credential, for a shell with the credential in its environment. */
const HEADERS: Partial<Record<EndpointAuth, string>> = {
  organization: 'VF-ORG-ID: $CLASSROOM_CREDENTIAL',
  participant: 'Authorization: Bearer $JOIN_TOKEN',
  classroom: 'Authorization: Bearer $CLASSROOM_TOKEN',
  dashboard: 'Authorization: Bearer $DASHBOARD_TOKEN',
  dispatch: 'X-Dispatch-Secret: $DISPATCH_SECRET',
};

/** How a language writes a call of its SDK. */
interface Language {
  lang: string;
  nameOf(name: string): string;
  literal(value: unknown): string;
  assign(call: string): string;
  loop(item: string, call: string): string;
}

const LANGUAGES: Language[] = [
  {
    lang: 'TypeScript',
    nameOf: (name) => name,
    literal: (value) => toTypeScript(value),
    assign: (call) => `const result = await ${call};`,
    loop: (item, call) => `for await (const ${item} of ${call}) {\n  console.log(${item});\n}`,
  },
  {
    lang: 'Python',
    nameOf: (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    literal: (value) => toPython(value),
    assign: (call) => `result = ${call}`,
    loop: (item, call) => `for ${item} in ${call}:\n    print(${item})`,
  },
];

/** The endpoint's example as a call by curl, and by each SDK if they have a method for it. None without an example. */
export function codeSamplesOf(endpoint: EndpointContract): CodeSample[] {
  const { example, sdk } = endpoint;
  if (!example) return [];
  const samples =
    sdk === undefined
      ? []
      : LANGUAGES.map((language) => ({ lang: language.lang, label: language.lang, source: sdkOf(endpoint, sdk, language) }));
  return [{ lang: 'Shell', label: 'curl', source: curlOf(endpoint) }, ...samples];
}

function curlOf({ method, path, auth, example: { params = {}, query, body } = {} }: EndpointContract): string {
  const at = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(Object.entries(query ?? {}).map(([name, value]): [string, string] => [name, String(value)]));
  const header = HEADERS[auth];
  return [
    `curl -X ${method} "$CLASSROOM_URL${at}${search.size > 0 ? `?${search}` : ''}"`,
    ...(header === undefined ? [] : [`-H "${header}"`]),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)}'`]),
  ].join(' \\\n  ');
}

/** As `tools/reference/sdk-resources.ts` writes the methods: the parts of the path, then the body or the query. */
function sdkOf(
  { path, query: of, auth, produces, example: { params = {}, query = {}, body } = {} }: EndpointContract,
  sdk: string,
  { nameOf, literal, assign, loop }: Language,
): string {
  const parts = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => params[name] ?? '');
  const names = propertiesOf(jsonSchema(of, 'input')).map(({ name }) => name);
  const client = auth === 'dispatch' ? 'admin' : 'classroom';
  const given = body ?? (Object.keys(query).length > 0 ? query : undefined);
  const call = `${client}.${nameOf(sdk)}(${[...parts, ...(given === undefined ? [] : [given])].map((it) => literal(it)).join(', ')})`;
  // The client pages through lists by `cursor`, and through events by `after`.
  if (names.includes('cursor') || sdk === 'events.list') return loop('entry', call);
  const isStream = produces.some((type) => type === 'application/x-ndjson' || type === 'text/event-stream');
  return isStream ? loop('event', call) : assign(call);
}

/** A JSON value as a literal of TypeScript. */
function toTypeScript(value: unknown, indent = ''): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value)
      .slice(1, -1)
      .replaceAll(String.raw`\"`, '"')
      .replaceAll("'", String.raw`\'`)}'`;
  if (Array.isArray(value)) return `[${value.map((it) => toTypeScript(it, indent)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).map(([name, it]) => `${indent}  ${name}: ${toTypeScript(it, `${indent}  `)},\n`);
  return fields.length === 0 ? '{}' : `{\n${fields.join('')}${indent}}`;
}

/** A JSON value as a literal of Python. */
function toPython(value: unknown, indent = ''): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map((it) => toPython(it, indent)).join(', ')}]`;
  if (value === null) return 'None';
  if (typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, it]) => `${indent}    ${JSON.stringify(name)}: ${toPython(it, `${indent}    `)},\n`);
  return fields.length === 0 ? '{}' : `{\n${fields.join('')}${indent}}`;
}

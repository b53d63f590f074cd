import type { EndpointAuth } from '../kernel/caller.js';
import type { EndpointContract } from '../kernel/http.js';
import { jsonSchema, propertiesOf } from './schema.js';

interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** The header of each credential, for a shell with the credential in its environment. */
const HEADERS: Partial<Record<EndpointAuth, string>> = {
  organization: 'VF-ORG-ID: $CLASSROOM_ORGANIZATION_ID',
  participant: 'Authorization: Bearer $JOIN_TOKEN',
  classroom: 'Authorization: Bearer $CLASSROOM_TOKEN',
  dashboard: 'Authorization: Bearer $DASHBOARD_TOKEN',
  dispatch: 'X-Dispatch-Secret: $DISPATCH_SECRET',
};

/** The endpoint's example as a call by curl, and by the SDK if that has a method for it. None without an example. */
export function codeSamplesOf(endpoint: EndpointContract): CodeSample[] {
  if (!endpoint.example) return [];
  const samples = [{ lang: 'Shell', label: 'curl', source: curlOf(endpoint) }];
  return endpoint.sdk === undefined ? samples : [...samples, { lang: 'TypeScript', label: 'SDK', source: sdkOf(endpoint, endpoint.sdk) }];
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
): string {
  const parts = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => params[name] ?? '');
  const names = propertiesOf(jsonSchema(of, 'input')).map(({ name }) => name);
  const client = auth === 'dispatch' ? 'admin' : 'classroom';
  const given = body ?? (Object.keys(query).length > 0 ? query : undefined);
  const call = `${client}.${sdk}(${[...parts, ...(given === undefined ? [] : [given])].map((it) => literal(it)).join(', ')})`;
  const isList = names.includes('cursor') || names.includes('after');
  const isStream = produces.some((type) => type === 'application/x-ndjson' || type === 'text/event-stream');
  return isList || isStream
    ? `for await (const ${isList ? 'entry' : 'event'} of ${call}) {\n  console.log(${isList ? 'entry' : 'event'});\n}`
    : `const result = await ${call};`;
}

/** A JSON value as a literal of TypeScript. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value)
      .slice(1, -1)
      .replaceAll(String.raw`\"`, '"')
      .replaceAll("'", String.raw`\'`)}'`;
  if (Array.isArray(value)) return `[${value.map((it) => literal(it, indent)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).map(([name, it]) => `${indent}  ${name}: ${literal(it, `${indent}  `)},\n`);
  return fields.length === 0 ? '{}' : `{\n${fields.join('')}${indent}}`;
}

import {
  ERRORS,
  errorBody,
  errorsOf,
  eventPosition,
  HTTP_STATUS,
  idempotencyKey,
  isRepeatable,
  isResumable,
  takesBody,
  withoutUndefined,
  type EndpointAuth,
  type EndpointContract,
  type ErrorCode,
  type Tag,
} from '@classroom/contracts';
import answers from './answers.json';
import { CHAPTERS } from './chapters.js';
import { codeSamplesOf } from './code-samples.js';
import { INTRODUCTIONS } from './introduction.js';
import { byLifeCycle } from './order.js';
import { linksOf } from './links.js';
import { withNullableFields } from './nulls.js';
import { answerSchema, jsonSchema, propertiesOf, type JsonSchema } from './schema.js';
import { isInternal, SECURITY_SCHEMES, securityOf } from './security.js';
import { webhooks } from './webhooks.js';

const REQUEST_ID = '0d6f3c1e-8b7a-4c52-9f10-2e4b6d8a7c31';

export interface ReferenceOptions {
  version: string;
  /** `internal` contains the endpoints for operators and for LiveKit, `public` all others. */
  audience: 'public' | 'internal';
  /** The address of the API. Default: the address of the document. */
  server?: string;
}

/** The API reference of these endpoints as an OpenAPI 3.1 document. The same contracts always give the same document. */
export function openApi(endpoints: readonly EndpointContract[], { version, audience, server = '/' }: ReferenceOptions) {
  const shown = endpoints.filter(({ auth }) => isInternal(auth) === (audience === 'internal'));
  const paths: Record<string, Record<string, unknown>> = {};
  const shared: Shared = { responses: {}, schemas: {} };
  answerSchema(errorBody, shared.schemas);
  for (const endpoint of [...shown].sort(byLifeCycle)) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, shown, shared) };
  }
  const schemes = new Set(shown.flatMap((endpoint) => securityOf(endpoint).flatMap((scheme) => Object.keys(scheme))));
  return {
    openapi: '3.1.0',
    info: {
      title: audience === 'public' ? 'Virtual Classroom API' : 'Virtual Classroom API, for operators',
      version,
      description: INTRODUCTIONS[audience],
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: server }],
    ...tagsOf(shown),
    paths,
    ...(audience === 'public' ? { webhooks: webhooks(shared.schemas) } : {}),
    components: {
      schemas: sorted(shared.schemas),
      securitySchemes: Object.fromEntries(Object.entries(SECURITY_SCHEMES).filter(([name]) => schemes.has(name))),
      headers: HEADERS,
      responses: sorted(shared.responses),
    },
  };
}

/** Recorded answers to the example calls, with ids and times replaced by fixed ones. Written by `npm run generate -- examples`. */
const ANSWERS: Readonly<Record<string, unknown>> = answers;

/** The chapters that have endpoints, in order, and their groups. */
function tagsOf(shown: readonly EndpointContract[]) {
  const used = (Object.keys(CHAPTERS) as Tag[]).filter((name) => shown.some(({ tag }) => tag === name));
  const groups = [...new Set(used.map((name) => CHAPTERS[name].group))];
  return {
    tags: used.map((name) => ({ name, description: CHAPTERS[name].description })),
    'x-tagGroups': groups.map((group) => ({ name: group, tags: used.filter((name) => CHAPTERS[name].group === group) })),
  };
}

/** Error responses and objects that several endpoints share are listed once. */
interface Shared {
  responses: Record<string, unknown>;
  schemas: Record<string, JsonSchema>;
}

const sorted = <T>(named: Record<string, T>) => Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));

function operation(endpoint: EndpointContract, shown: readonly EndpointContract[], shared: Shared): Record<string, unknown> {
  const { operationId, summary, description, tag } = endpoint;
  const body = bodyOf(endpoint);
  const links = linksOf(endpoint, shown);
  const samples = codeSamplesOf(endpoint);
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    security: securityOf(endpoint),
    parameters: parametersOf(endpoint),
    ...(body ? { requestBody: body } : {}),
    responses: {
      '200': { ...success(endpoint, shared, 'Done.', ANSWERS[operationId]), ...(links ? { links } : {}) },
      ...failures(endpoint, shared),
      ...Object.fromEntries(
        Object.entries(endpoint.otherStatuses).map(([status, description]) => [status, success(endpoint, shared, description)]),
      ),
    },
    ...(samples.length > 0 ? { 'x-codeSamples': samples } : {}),
  };
}

function parametersOf(endpoint: EndpointContract): unknown[] {
  const { params, query, example } = endpoint;
  const inPath = propertiesOf(jsonSchema(params, 'output')).map(({ name, schema: { description, ...schema } }) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema,
    example: example?.params?.[name],
  }));
  const inQuery = propertiesOf(jsonSchema(query, 'input')).map(({ name, schema: { description, ...schema }, isRequired }) => ({
    name,
    in: 'query',
    required: isRequired,
    description,
    schema,
    example: example?.query?.[name],
  }));
  const inHeader = [...(isRepeatable(endpoint) ? [IDEMPOTENCY_KEY] : []), ...(isResumable(endpoint) ? [LAST_EVENT_ID] : [])];
  return [...[...inPath, ...inQuery].map(withoutUndefined), ...inHeader];
}

function bodyOf(endpoint: EndpointContract): Record<string, unknown> | undefined {
  if (!takesBody(endpoint)) return undefined;
  const schema = withAlternatives(withNullableFields(jsonSchema(endpoint.body, 'input')));
  const example = endpoint.example?.body;
  const isRequired = !endpoint.body.safeParse(undefined).success;
  return { required: isRequired, content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } } };
}

interface Alternatives {
  oneOf?: { required?: string[] }[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

/** A body that has one of several groups of fields, as one object for each: a list of required fields alone is no type for generators of clients. */
function withAlternatives(schema: JsonSchema): JsonSchema {
  const { oneOf, properties, required: always = [] } = schema as Alternatives;
  if (!oneOf || !properties) return schema;
  const grouped = new Set(oneOf.flatMap(({ required = [] }) => required));
  const shared = Object.fromEntries(Object.entries(properties).filter(([name]) => !grouped.has(name)));
  return {
    oneOf: oneOf.map(({ required = [] }) => ({
      type: 'object',
      properties: { ...shared, ...Object.fromEntries(required.map((name) => [name, withoutNull(properties[name] ?? {})])) },
      required: [...always.filter((name) => !grouped.has(name)), ...required],
    })),
  };
}

/** What `withNullableFields` has made of a field that an alternative requires. */
function withoutNull({ anyOf, ...schema }: JsonSchema): JsonSchema {
  const [first, second] = (anyOf ?? []) as JsonSchema[];
  return first && second?.['type'] === 'null' ? { ...schema, ...first } : { ...schema, ...(anyOf === undefined ? {} : { anyOf }) };
}

function success(endpoint: EndpointContract, { schemas }: Shared, description: string, example?: unknown): Record<string, unknown> {
  const { response, produces, auth } = endpoint;
  const json = { schema: answerSchema(response, schemas), ...(example === undefined ? {} : { example }) };
  const content = Object.fromEntries(produces.map((type) => [type, type === 'application/json' ? json : { schema: { type: 'string' } }]));
  const names = [
    'X-Request-Id',
    ...(isLimited(auth) ? ['RateLimit', 'RateLimit-Policy'] : []),
    ...(isRepeatable(endpoint) ? ['Idempotency-Replayed'] : []),
  ];
  return { description, headers: headersOf(names), content };
}

const isLimited = (auth: EndpointAuth) => auth !== 'livekit';

/** One response per status, with every error code that it may carry. */
function failures(endpoint: EndpointContract, shared: Shared): Record<string, unknown> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(endpoint)) {
    const status = HTTP_STATUS[ERRORS[code].kind];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, of]) => {
        const name = of.sort().join('.');
        shared.responses[name] ??= failure(status, of);
        return [String(status), { $ref: `#/components/responses/${name}` }];
      }),
  );
}

function failure(status: number, codes: readonly ErrorCode[]): Record<string, unknown> {
  const examples = codes.map((code) => [
    code,
    { value: { success: false, message: ERRORS[code].message, error: code, requestId: REQUEST_ID } },
  ]);
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].when} ${ERRORS[code].advice}`).join('\n\n'),
    headers: headersOf([
      'X-Request-Id',
      ...(status === 429 || status === 503 || codes.includes('IDEMPOTENCY_CONFLICT') ? ['Retry-After'] : []),
    ]),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Error' },
            { type: 'object', properties: { error: { enum: codes, description: 'The error code.' } } },
          ],
        },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

const headersOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const text = (description: string, example: string): JsonSchema => ({ description, schema: { type: 'string' }, example });

const HEADERS = {
  'X-Request-Id': text('Names this request in our logs; your own where you sent one.', REQUEST_ID),
  RateLimit: text('What is left of the quota, and in how many seconds it is whole again.', '"organization";r=997;t=41'),
  'RateLimit-Policy': text('The quota and its window in seconds.', '"organization";q=1000;w=60'),
  'Retry-After': text('Seconds after which trying again may help.', '2'),
  'Idempotency-Replayed': text('`true` where this is the first answer to the same `Idempotency-Key`, given again.', 'true'),
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the request safe to repeat: its first answer is given again for 24 h, unless it was a refusal that another time may not be. Another body under the same key is a 409.',
  schema: jsonSchema(idempotencyKey, 'input'),
  example: 'lesson-2026-01-15-geometry',
};

const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description:
    'The `id` of the last event that you have. Browsers and other clients of server-sent events send it when they connect again.',
  schema: jsonSchema(eventPosition, 'input'),
  example: '41',
};

import { NOT_TO_BE_GUESSED } from './exceptions.js';

type Values = Readonly<Record<string, unknown>>;

/** Real values that replace those of the examples. Values for an operation take precedence over those by parameter. */
export interface Given {
  params: Values;
  operations: Readonly<Record<string, { params?: Values; body?: Values }>>;
}

interface Parameter {
  name: string;
  in: string;
  example?: unknown;
}

interface BodySchema {
  properties?: Record<string, unknown>;
  anyOf?: { required?: string[] }[];
}

interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { example?: object; schema: BodySchema }> };
  responses: Record<string, { content?: Record<string, { schema?: object }> }>;
}

export interface Document {
  paths: Record<string, Record<string, Operation>>;
}

export const operationsOf = ({ paths }: Document): { label: string; operation: Operation }[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ label: `${method.toUpperCase()} ${path}`, operation })),
  );

/** The document with every `step`th path only. A path keeps all its operations, because Schemathesis expects 405 for any other method. */
export const everyNth = (document: Document, step: number): Document => ({
  ...document,
  paths: Object.fromEntries(Object.entries(document.paths).filter((_, n) => n % step === 0)),
});

/** The document without the answers that have no end: Schemathesis reads each as a whole. */
export const withoutEndless = (document: Document): Document => ({
  ...document,
  paths: Object.fromEntries(Object.entries(document.paths).filter(([, { get }]) => !get?.responses['200']?.content?.['text/event-stream'])),
});

/** The document with ids in its examples that exist. */
export function withReal(document: Document, { params, operations }: Given): Document {
  const copy = structuredClone(document);
  for (const { operation } of operationsOf(copy)) {
    const own = operations[operation.operationId];
    const values = { ...params, ...own?.params };
    operation.parameters = operation.parameters?.filter(({ name }) => !(name in NOT_TO_BE_GUESSED)) ?? [];
    for (const parameter of operation.parameters) {
      if (parameter.in === 'path' && parameter.name in values) parameter.example = values[parameter.name];
    }
    // Schemathesis would check each event against the schema of the whole text.
    delete operation.responses['200']?.content?.['text/event-stream']?.schema;
    const json = operation.requestBody?.content['application/json'];
    if (json) leaveOut(json.schema);
    if (json && own?.body) json.example = { ...json.example, ...own.body };
  }
  return copy;
}

function leaveOut(schema: BodySchema): void {
  for (const name of Object.keys(NOT_TO_BE_GUESSED)) delete schema.properties?.[name];
  if (schema.anyOf) schema.anyOf = schema.anyOf.filter(({ required }) => !required?.some((name) => name in NOT_TO_BE_GUESSED));
}

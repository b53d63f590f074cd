type Values = Readonly<Record<string, unknown>>;

/** What stands for an example's values: by parameter, and by operation before that. */
export interface Given {
  params: Values;
  operations: Readonly<Record<string, { params?: Values; body?: Values }>>;
}

interface Parameter {
  name: string;
  in: string;
  example?: unknown;
}

interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { example?: object }> };
}

export interface Document {
  paths: Record<string, Record<string, Operation>>;
}

export const operationsOf = ({ paths }: Document): { label: string; operation: Operation }[] =>
  Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ label: `${method.toUpperCase()} ${path}`, operation })));

/** The document with ids in its examples that there are. */
export function withReal(document: Document, { params, operations }: Given): Document {
  const copy = structuredClone(document);
  for (const { operation } of operationsOf(copy)) {
    const own = operations[operation.operationId];
    const values = { ...params, ...own?.params };
    for (const parameter of operation.parameters ?? []) {
      if (parameter.in === 'path' && parameter.name in values) parameter.example = values[parameter.name];
    }
    const json = operation.requestBody?.content['application/json'];
    if (json?.example && own?.body) json.example = { ...json.example, ...own.body };
  }
  return copy;
}

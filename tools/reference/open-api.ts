import type { Schema } from '../contracts/schema-changes.ts';

export interface Content {
  content: Record<string, { schema: Schema }>;
}

export interface Operation {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  security: Record<string, unknown>[];
  parameters: { name: string; in: string; required: boolean; description?: string; schema: Schema }[];
  requestBody?: Content & { required: boolean };
  responses: Record<'200', Content>;
}

/** The parts of a reference that are read here. */
export interface OpenApi {
  tags: { name: string; description: string }[];
  'x-tagGroups': { name: string; tags: string[] }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, { post: { requestBody: Content } }>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Content> };
}

const NO_SCHEMAS = new Set(['example', 'examples', 'default']);

/** @returns the places of properties and parameters of a reference that neither have a description nor refer to a schema that has one */
export function undescribed(document: OpenApi): string[] {
  const found: string[] = [];
  const isDescribed = ({ description, $ref }: Schema): boolean =>
    typeof description === 'string' || ($ref !== undefined && isDescribed(document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}));
  const visit = (node: unknown, at: string) => {
    if (typeof node !== 'object' || node === null) return;
    const { properties = {}, parameters } = node as { properties?: Record<string, Schema>; parameters?: unknown };
    for (const [name, schema] of Object.entries(properties)) {
      // `not` alone only states that a field of the object is given.
      const isGiven = 'not' in schema && Object.keys(schema).length === 1;
      if (!isGiven && !isDescribed(schema)) found.push(`${at}/${name}`);
    }
    for (const one of Array.isArray(parameters) ? (parameters as (Schema & { name: string })[]) : [])
      if (!isDescribed(one)) found.push(`${at}?${one.name}`);
    for (const [key, value] of Object.entries(node)) if (!NO_SCHEMAS.has(key)) visit(value, `${at}/${key}`);
  };
  visit(document, '');
  return found;
}

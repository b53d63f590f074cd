import { propertiesOf, type JsonSchema } from './schema.js';

const NULL = { type: 'null' };

interface Parts extends JsonSchema {
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  dependentRequired?: Record<string, string[]>;
}

/** The schema of a request body as the gateway accepts it: an optional field may also be null, which means the same as omitting it. */
export function withNullableFields(schema: JsonSchema): JsonSchema {
  const { items, anyOf, oneOf, dependentRequired = {}, ...rest } = schema as Parts;
  const properties = propertiesOf(schema);
  const nullable = properties.filter(({ schema: field, isRequired }) => !isRequired && !takesNull(field)).map(({ name }) => name);
  const fields = properties.map(({ name, schema: field }) => [
    name,
    nullable.includes(name) ? orNull(withNullableFields(field)) : withNullableFields(field),
  ]);
  const given = (member: JsonSchema) => present(member, nullable);
  const needs = Object.entries(dependentRequired).map(([name, needed]) => ({
    anyOf: [{ not: given({ required: [name] }) }, given({ required: needed })],
  }));
  return {
    ...rest,
    ...(schema['properties'] ? { properties: Object.fromEntries(fields) as JsonSchema } : {}),
    ...(items ? { items: withNullableFields(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(withNullableFields).map(given) } : {}),
    ...(oneOf ? { oneOf: oneOf.map(withNullableFields) } : {}),
    ...(needs.length > 0 ? { allOf: needs } : {}),
  };
}

function takesNull(schema: JsonSchema): boolean {
  const members = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined;
  if (members) return members.some(takesNull);
  const values = schema['enum'] as unknown[] | undefined;
  if (values) return values.includes(null);
  return [schema['type']].flat().includes('null') || (schema['type'] === undefined && !('const' in schema));
}

/** The default of an object or a list is in its description: generators of clients refuse it next to null. */
function orNull({ default: fallback, description, ...schema }: JsonSchema): JsonSchema {
  return {
    ...(description === undefined ? {} : { description }),
    ...(fallback === undefined || typeof fallback === 'object' ? {} : { default: fallback }),
    anyOf: [schema, NULL],
  };
}

/** Where a schema requires a field of the same object, a null that means "left out" does not count as given. */
function present(member: JsonSchema, nullable: readonly string[]): JsonSchema {
  const required = (member['required'] ?? []) as string[];
  const own = member['properties'] ? [] : required.filter((name) => nullable.includes(name));
  return own.length === 0 ? member : { ...member, properties: Object.fromEntries(own.map((name) => [name, { not: NULL }])) };
}

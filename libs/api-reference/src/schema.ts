import { NAMES, schemaHints } from '@classroom/contracts';
import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/**
 * A contract's schema in the form of OpenAPI 3.1 (JSON Schema 2020-12).
 * @param io `input`: what a caller may send; `output`: what an answer contains
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: tidy });
  return JSON.parse(JSON.stringify(json), withOneType) as JsonSchema;
}

/** For a JSON parser. Generators of clients know several types as alternatives, and as a list only one type and null. */
function withOneType(_: string, value: unknown): unknown {
  const { type: types, ...schema } = (value ?? {}) as { type?: unknown };
  if (!Array.isArray(types) || types.filter((type) => type !== 'null').length < 2) return value;
  return { ...schema, anyOf: types.map((type: string) => ({ type })) };
}

/** Descriptions, and the names of the objects that are listed once. */
class Metadata extends z.core.$ZodRegistry<Record<string, unknown>> {
  override get(schema: z.core.$ZodType): Record<string, unknown> | undefined {
    const meta = z.globalRegistry.get(schema) as Record<string, unknown> | undefined;
    return NAMES.has(schema) ? { ...meta, ...NAMES.get(schema) } : meta;
  }
}
const METADATA = new Metadata();

/**
 * An answer's schema, with references to the named objects in it.
 * @param named receives these objects
 * @throws Error if two different objects have the same name
 */
export function answerSchema(schema: z.ZodType, named: Record<string, JsonSchema>): JsonSchema {
  // Only parts of a schema become references, so the whole is a part here.
  const whole = z.toJSONSchema(z.object({ answer: schema }), {
    io: 'output',
    unrepresentable: 'any',
    override: tidyAnswer,
    metadata: METADATA,
  });
  const text = JSON.stringify(whole).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $defs = {}, properties } = JSON.parse(text, withOneType) as {
    $defs?: Record<string, JsonSchema>;
    properties: { answer: JsonSchema };
  };
  for (const [name, { id: _, ...definition }] of Object.entries($defs)) {
    const known = named[name];
    if (known && JSON.stringify(known) !== JSON.stringify(definition)) throw new Error(`two objects have the name ${name}`);
    named[name] = definition;
  }
  return properties.answer;
}

/** Answers may get new fields, and request bodies may contain unknown ones, so no client may reject them. */
function tidy({ zodSchema, jsonSchema: schema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  Object.assign(schema, schemaHints.get(zodSchema));
  // Zod omits the default of a number that is parsed from text.
  if (zodSchema instanceof z.ZodDefault && zodSchema.def.innerType instanceof z.ZodPreprocess)
    schema['default'] = zodSchema.def.defaultValue;
  if (schema['additionalProperties'] === false) delete schema['additionalProperties'];
  // The format is enough; zod's long regular expressions for instants and dates add nothing.
  if (schema['format'] === 'date-time') delete schema['pattern'];
  if (schema['format'] === 'date') delete schema['pattern'];
}

type Override = Parameters<typeof tidy>[0];

/** The limits of any whole number say nothing in an answer, nor does what an older service leaves out. */
function tidyAnswer(of: Override): void {
  tidy(of);
  delete of.jsonSchema['default'];
  if (of.jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete of.jsonSchema['minimum'];
  if (of.jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete of.jsonSchema['maximum'];
}

/** The properties of an object, and which of them are required. */
export function propertiesOf(schema: JsonSchema): { name: string; schema: JsonSchema; isRequired: boolean }[] {
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>;
  const required = new Set((schema['required'] ?? []) as string[]);
  return Object.entries(properties).map(([name, property]) => ({ name, schema: property, isRequired: required.has(name) }));
}

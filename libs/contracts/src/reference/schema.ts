import { z } from 'zod';
import { TOLD } from '../kernel/told.js';

export type JsonSchema = Record<string, unknown>;

/**
 * A contract's schema in the form of OpenAPI 3.1 (JSON Schema 2020-12).
 * @param io `input`: what a caller may send; `output`: what an answer contains
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: tidy });
  return json;
}

/** Answers may get new fields, and request bodies may contain unknown ones, so no client may reject them. */
function tidy({ zodSchema, jsonSchema: schema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  Object.assign(schema, TOLD.get(zodSchema));
  // Zod omits the default of a number that is parsed from text.
  if (zodSchema instanceof z.ZodDefault && zodSchema.def.innerType instanceof z.ZodPreprocess)
    schema['default'] = zodSchema.def.defaultValue;
  if (schema['additionalProperties'] === false) delete schema['additionalProperties'];
  // The format is enough; zod's long regular expressions for instants and dates add nothing.
  if (schema['format'] === 'date-time') delete schema['pattern'];
  if (schema['format'] === 'date') delete schema['pattern'];
}

/** The properties of an object, and which of them are required. */
export function propertiesOf(schema: JsonSchema): { name: string; schema: JsonSchema; isRequired: boolean }[] {
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>;
  const required = new Set((schema['required'] ?? []) as string[]);
  return Object.entries(properties).map(([name, property]) => ({ name, schema: property, isRequired: required.has(name) }));
}

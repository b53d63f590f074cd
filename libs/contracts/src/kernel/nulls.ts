import { z } from 'zod';

/**
 * Removes from a request body each null that means "left out": the null of an optional field whose schema does not accept null. A
 * null stays if the schema accepts it.
 */
export function withoutNulls(schema: z.core.$ZodType, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return Array.isArray(value) ? value : ofObject(def.shape, value as Record<string, unknown>);
    case 'array':
      return Array.isArray(value) ? value.map((item) => withoutNulls(def.element, item)) : value;
    case 'union':
      return ofUnion(def.options, value);
    case 'pipe':
      return withoutNulls(def.in, value);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return withoutNulls(def.innerType, value);
    default:
      return value;
  }
}

function ofObject(shape: z.core.$ZodShape, value: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(value).flatMap(([key, field]) => {
    const schema = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (!schema) return [[key, field]];
    return field === null && isLeftOutByNull(schema) ? [] : [[key, withoutNulls(schema, field)]];
  });
  return Object.fromEntries(kept) as Record<string, unknown>;
}

/**
 * Uses the first member that accepts the value. If none does, the value is returned unchanged, so that the errors describe what
 * the caller sent.
 */
function ofUnion(options: readonly z.core.$ZodType[], value: unknown): unknown {
  for (const option of options) {
    const kept = withoutNulls(option, value);
    if (z.safeParse(option, kept).success) return kept;
  }
  return value;
}

/** Whether null in a field of this schema means the same as an omitted field. */
const isLeftOutByNull = (schema: z.core.$ZodType) => z.safeParse(schema, undefined).success && !z.safeParse(schema, null).success;

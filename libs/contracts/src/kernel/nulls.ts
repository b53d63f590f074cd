import { z } from 'zod';

/**
 * What a request's body says once each null that stands for "left out" is left out: those of optional fields whose schema takes no null.
 * Where null means something, or any value may stand, it stays.
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

/** The first member that takes the value decides; where none does, the value stays as it came, and its errors name what was sent. */
function ofUnion(options: readonly z.core.$ZodType[], value: unknown): unknown {
  for (const option of options) {
    const kept = withoutNulls(option, value);
    if (z.safeParse(option, kept).success) return kept;
  }
  return value;
}

/** Whether null in a field of this schema says the same as no such field. */
const isLeftOutByNull = (schema: z.core.$ZodType) => z.safeParse(schema, undefined).success && !z.safeParse(schema, null).success;

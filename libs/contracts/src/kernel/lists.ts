import { z } from 'zod';

/** Lists that end where a message is full. */
const PAGES = z.registry<{ isPage: true }>();

/**
 * A list that its handler ends where a message is full, with `fitMessage`. What the items contain is measured with them: lists in them need no
 * bound of their own.
 */
export const pageOf = <T extends z.ZodType>(item: T): z.ZodArray<T> => z.array(item).register(PAGES, { isPage: true });

export const isPage = (list: z.core.$ZodType): boolean => PAGES.get(list as z.ZodType) !== undefined;

/** Maximum number of items by `.max(n)`. Infinity: none is declared. */
export const maxItemsOf = ({ _zod: { def } }: z.core.$ZodType): number =>
  (def.checks ?? []).reduce((least, { _zod: check }) => Math.min(least, (check.def as { maximum?: number }).maximum ?? Infinity), Infinity);

/** What a schema consists of, by the kind of schema. */
interface Parts {
  type: string;
  shape?: Record<string, z.core.$ZodType>;
  element?: z.core.$ZodType;
  options?: readonly z.core.$ZodType[];
  items?: readonly z.core.$ZodType[];
  innerType?: z.core.$ZodType;
  out?: z.core.$ZodType;
  valueType?: z.core.$ZodType;
  left?: z.core.$ZodType;
  right?: z.core.$ZodType;
}

/** Schemas without an unbounded list, so that a schema in many replies is read once. */
const bounded = new WeakSet<z.core.$ZodType>();

/** @returns the path of a list of unlimited length, such as `rooms[].names[]`; undefined if there is none */
export function unboundedList(schema: z.core.$ZodType, path = ''): string | undefined {
  if (bounded.has(schema)) return undefined;
  const { type, shape, element, options = [], items = [], innerType, out, valueType, left, right } = schema._zod.def as unknown as Parts;
  let found: string | undefined;
  if (type === 'array' && element) {
    if (!isPage(schema)) found = maxItemsOf(schema) === Infinity ? `${path}[]` : unboundedList(element, `${path}[]`);
  } else {
    for (const name in shape) found ??= unboundedList(shape[name] as z.core.$ZodType, path ? `${path}.${name}` : name);
    for (const part of [...options, ...items, innerType, out, valueType, left, right]) if (part) found ??= unboundedList(part, path);
  }
  if (found === undefined) bounded.add(schema);
  return found;
}

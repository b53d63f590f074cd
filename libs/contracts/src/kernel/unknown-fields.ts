import { z } from 'zod';
import { closestTo, isSameWord } from './close-words.js';

/** An object that takes any key, such as a map of the caller’s own: an unknown key is never refused. */
export const FREE_FORM = z.registry<Record<string, never>>();

/** A field of a request that its schema does not know. */
export interface UnknownField {
  path: string;
  /** The known field that was probably meant, by its path. */
  meant?: string;
}

/** What a schema knows below a value: the fields of an object, or what each entry of a list or map has. */
interface Known {
  fields?: ReadonlyMap<string, Known>;
  entries?: Known;
  /** Keys that `fields` does not have are the caller’s own. */
  isFreeForm?: boolean;
}

/** Anything, or a value without fields. */
const LEAF: Known = {};
const NO_FIELDS: ReadonlyMap<string, Known> = new Map();
const MAX_FOUND = 20;
const MAX_NAME = 64;

const compiled = new WeakMap<z.core.$ZodType, Known>();

/** @returns the fields, at any depth, that are unknown to the schema; at most 20 */
export function unknownFields(schema: z.core.$ZodType, value: unknown): UnknownField[] {
  let known = compiled.get(schema);
  if (!known) compiled.set(schema, (known = rootOf(schema)));
  if (knowsAll(known, value)) return [];
  const found: { path: string[]; siblings: Known }[] = [];
  collect(known, value, [], found);
  const root = known;
  return found.map(({ path, siblings }) => {
    const meant = meantBy(path, siblings, root);
    return { path: path.join('.'), ...(meant === undefined ? {} : { meant }) };
  });
}

/** Of nearly every request: it allocates nothing. */
function knowsAll(known: Known, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || known === LEAF) return true;
  const { fields, entries } = known;
  if (!entries && (!fields || Array.isArray(value))) return true;
  for (const key in value) {
    const field = entries ?? fields?.get(key);
    if (field === LEAF) continue;
    if (!field || !knowsAll(field, (value as Record<string, unknown>)[key])) return false;
  }
  return true;
}

function collect(known: Known, value: unknown, path: string[], found: { path: string[]; siblings: Known }[]): void {
  if (typeof value !== 'object' || value === null || known === LEAF) return;
  const { fields, entries } = known;
  if (entries) {
    for (const [key, entry] of Object.entries(value)) collect(entries, entry, [...path, key], found);
  } else if (fields && !Array.isArray(value)) {
    for (const key of Object.keys(value)) {
      const field = fields.get(key);
      if (field === LEAF || found.length === MAX_FOUND) continue;
      if (field) collect(field, (value as Record<string, unknown>)[key], [...path, key], found);
      else found.push({ path: [...path, key.slice(0, MAX_NAME)], siblings: known });
    }
  }
}

/** A sibling that is written almost like the field, or a field of that name above or below: another object next to it is about something else, as the role of another person is. */
function meantBy(path: readonly string[], { fields = NO_FIELDS, isFreeForm = false }: Known, root: Known): string | undefined {
  const name = path.at(-1) ?? '';
  if (isFreeForm) return undefined;
  const own = path.slice(0, -1);
  const sibling = closestTo(name, [...fields.keys()]);
  if (sibling !== undefined) return [...own, sibling].join('.');
  return placesOf(root)
    .filter((place) => isSameWord(name, place.at(-1) ?? '') && isOnOneLine(own, place.slice(0, -1)))
    .sort((a, b) => a.length - b.length)[0]
    ?.join('.');
}

/** Whether one of two objects is the other, or contains it. */
const isOnOneLine = (a: readonly string[], b: readonly string[]) => a.slice(0, b.length).join('.') === b.slice(0, a.length).join('.');

/** The paths of all fields that are not in lists. */
function placesOf({ fields = NO_FIELDS }: Known, path: readonly string[] = []): string[][] {
  return [...fields].flatMap(([name, field]) => [[...path, name], ...placesOf(field, [...path, name])]);
}

/** A part of a request without a schema has no fields. */
const rootOf = (schema: z.core.$ZodType): Known =>
  (schema as z.core.$ZodTypes)._zod.def.type === 'unknown' ? { fields: NO_FIELDS } : knownOf(schema);

function knownOf(schema: z.core.$ZodType): Known {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object': {
      const fields = new Map(Object.entries(def.shape).map(([name, field]) => [name, knownOf(field)]));
      return { fields, isFreeForm: FREE_FORM.has(schema) };
    }
    case 'array':
      return inEach(knownOf(def.element));
    case 'record':
      return inEach(knownOf(def.valueType));
    case 'union':
      return def.options.map(knownOf).reduce(merged);
    case 'intersection':
      return merged(knownOf(def.left), knownOf(def.right));
    case 'pipe':
      // `z.preprocess` begins with a transformation, which accepts anything.
      return knownOf((def.in as z.core.$ZodTypes)._zod.def.type === 'transform' ? def.out : def.in);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'nonoptional':
    case 'catch':
      return knownOf(def.innerType);
    default:
      return LEAF;
  }
}

/** Long lists of plain values are not looked at. */
const inEach = (entry: Known): Known => (entry === LEAF ? LEAF : { entries: entry });

/** What a value may have that is either of the two. */
function merged(a: Known, b: Known): Known {
  if (a === LEAF) return b;
  if (b === LEAF) return a;
  if (a.entries || b.entries) return a.entries && b.entries ? { entries: merged(a.entries, b.entries) } : LEAF;
  const fields = new Map(a.fields);
  for (const [name, field] of b.fields ?? []) fields.set(name, merged(fields.get(name) ?? LEAF, field));
  return { fields, isFreeForm: a.isFreeForm === true || b.isFreeForm === true };
}

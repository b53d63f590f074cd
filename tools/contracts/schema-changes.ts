import { isDeepStrictEqual as equal } from 'node:util';

/*
 * Compares JSON Schemas as zod generates them. Existing comparison libraries do not fit: they treat a schema as a set of values, so a new
 * field in a reply counts as a breaking change because readers might reject it. Our readers drop unknown fields.
 */

export interface Change {
  path: string;
  what: string;
  was: unknown;
  is: unknown;
}

/** `accepts`: whether everything that could be sent before is still accepted; `tells`: whether old readers can still read what is sent now */
export type Direction = 'accepts' | 'sends';

/** Set by `.meta({ 'x-extensible': true })` on a closed set of values: readers are required to tolerate unknown values. */
const EXTENSIBLE = 'x-extensible';
const NO_CONSTRAINT = new Set([EXTENSIBLE, '$schema', 'title', 'description', 'examples', 'deprecated', 'default']);
const LOWER = new Set(['minLength', 'minItems', 'minimum', 'exclusiveMinimum']);
const UPPER = ['maxLength', 'maxItems', 'maximum', 'exclusiveMaximum'];
const COMPARED = new Set([
  ...NO_CONSTRAINT,
  ...LOWER,
  ...UPPER,
  'type',
  'enum',
  'const',
  'pattern',
  'format',
  'items',
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
  'anyOf',
  'oneOf',
  'allOf',
]);

/** @returns the changes that break a peer with the old schema; empty if the change only adds */
export function breakingChanges(old: Schema, now: Schema, direction: Direction, path: string): Change[] {
  const oldMembers = alternatives(old);
  const newMembers = alternatives(now);
  const found: Change[] =
    direction === 'accepts' && old.default !== undefined && !equal(old.default, now.default)
      ? [{ path, what: 'who leaves it out gets another default', was: old.default, is: now.default }]
      : [];
  if (oldMembers.length === 1 && newMembers.length === 1)
    return [...found, ...oldMembers.flatMap((was) => newMembers.flatMap((is) => compareOne(was, is, direction, path)))];
  const narrow = direction === 'accepts' ? oldMembers : newMembers;
  const wide = direction === 'accepts' ? newMembers : oldMembers;
  for (const one of narrow) {
    const tries = wide.map((other) => ({
      other,
      changes: direction === 'accepts' ? compareOne(one, other, direction, path) : compareOne(other, one, direction, path),
    }));
    if (tries.some(({ changes }) => changes.length === 0)) continue;
    const counterpart = tries.filter(({ other }) => isCounterpart(one, other)).sort((a, b) => a.changes.length - b.changes.length)[0];
    if (counterpart) found.push(...counterpart.changes);
    else
      found.push({
        path,
        what: direction === 'accepts' ? 'one of the kinds is no longer taken' : 'there is a kind that readers do not know',
        was: oldMembers.map(brief),
        is: newMembers.map(brief),
      });
  }
  return found;
}

/** The members of a union. `type: [a, b]` counts as a union too. */
function alternatives(schema: Schema): Schema[] {
  const { anyOf, oneOf, ...rest } = schema;
  const union = anyOf ?? oneOf;
  if (union) return union.flatMap((one) => alternatives({ ...rest, ...one }));
  if (!Array.isArray(schema.type)) return [schema];
  return schema.type.map((type) => ({
    ...schema,
    type,
    ...(schema.enum ? { enum: schema.enum.filter((value) => (value === null) === (type === 'null')) } : {}),
  }));
}

/** Whether two members correspond to each other: they have the same type, and no constant distinguishes them. */
function isCounterpart(a: Schema, b: Schema) {
  if (a.type !== b.type) return false;
  return Object.entries(a.properties ?? {}).every(
    ([key, { const: mark }]) => mark === undefined || equal(mark, b.properties?.[key]?.const),
  );
}

function compareOne(old: Schema, now: Schema, direction: Direction, path: string): Change[] {
  const [wide, narrow] = direction === 'accepts' ? [now, old] : [old, now];
  const change = (what: string, was: unknown, is: unknown) => ({ path, what, was, is });
  if (wide.type !== undefined && narrow.type !== wide.type && !(wide.type === 'number' && narrow.type === 'integer')) {
    return [change('another type', brief(old), brief(now))];
  }
  const found: Change[] = [];
  const allowed = direction === 'sends' && old[EXTENSIBLE] ? undefined : valuesOf(wide);
  if (allowed && !valuesOf(narrow)?.every((value) => allowed.some((one) => equal(one, value)))) {
    found.push(
      change(
        direction === 'accepts' ? 'a value is no longer taken' : 'a value that readers do not know',
        valuesOf(old) ?? brief(old),
        valuesOf(now) ?? brief(now),
      ),
    );
  }
  // Limits are checked only for input: values that are sent may become larger.
  const isOutside = (key: string) =>
    direction === 'accepts' &&
    now[key] !== undefined &&
    !(LOWER.has(key) ? Number(old[key]) >= Number(now[key]) : Number(old[key]) <= Number(now[key]));
  for (const key of [...LOWER, ...UPPER]) if (isOutside(key)) found.push(change(`another ${key}`, old[key], now[key]));
  if (wide.format !== undefined && wide.format !== narrow.format) found.push(change('another format', old.format, now.format));
  // The pattern of a format comes from zod, and another version of zod may write it differently.
  const hasNewPattern = patternsOf(wide).some((pattern) => !patternsOf(narrow).includes(pattern));
  if (hasNewPattern && (wide.format === undefined || wide.format !== narrow.format))
    found.push(change('another pattern', patternsOf(old), patternsOf(now)));
  for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (!COMPARED.has(key) && !equal(old[key], now[key]))
      found.push(change(`${key} changed, which this comparison can not judge`, old[key], now[key]));
  }
  if (wide.items) found.push(...breakingChanges(old.items ?? {}, now.items ?? {}, direction, `${path}[]`));
  return [...found, ...compareObjects(old, now, direction, path)];
}

function compareObjects(old: Schema, now: Schema, direction: Direction, path: string): Change[] {
  const [wide, narrow] = direction === 'accepts' ? [now, old] : [old, now];
  const [oldProperties, newProperties] = [old.properties ?? {}, now.properties ?? {}];
  const [anyOld, anyNow] = [old.additionalProperties, now.additionalProperties].map((it) => (typeof it === 'object' ? it : undefined));
  const found: Change[] = [];
  for (const [key, was] of Object.entries(oldProperties)) {
    // An object that took anything in addition before still takes the field, and no longer reads it.
    const is = newProperties[key] ?? (direction === 'accepts' && !anyOld ? anyNow : undefined);
    if (is) found.push(...breakingChanges(was, is, direction, `${path}.${key}`));
    else if (now.type === 'object')
      found.push({
        path: `${path}.${key}`,
        what: direction === 'accepts' ? 'is dropped unread' : 'is gone',
        was: brief(was),
        is: undefined,
      });
  }
  for (const key of wide.required ?? []) {
    if (narrow.required?.includes(key)) continue;
    if (direction === 'accepts')
      found.push({
        path: `${path}.${key}`,
        what: key in oldProperties ? 'became required' : 'is new and required',
        was: brief(oldProperties[key]),
        is: brief(newProperties[key]),
      });
    else if (key in newProperties)
      found.push({ path: `${path}.${key}`, what: 'is no longer always there', was: 'required', is: 'optional' });
  }
  if (direction === 'accepts' && now.additionalProperties === false && old.additionalProperties !== false) {
    found.push({ path, what: 'fields that it does not know are refused', was: undefined, is: false });
  }
  if (direction === 'accepts' && anyOld && !anyNow && now.type === 'object')
    found.push({ path, what: 'keys of the caller’s choice are no longer taken', was: brief(anyOld), is: undefined });
  if (anyOld && anyNow) found.push(...breakingChanges(anyOld, anyNow, direction, `${path}.*`));
  if (wide.propertyNames)
    found.push(
      ...breakingChanges(old.propertyNames ?? { type: 'string' }, now.propertyNames ?? { type: 'string' }, direction, `${path}.<key>`),
    );
  return found;
}

const valuesOf = (schema: Schema): unknown[] | undefined => (schema.const === undefined ? schema.enum : [schema.const]);

/** zod puts additional patterns into `allOf`. */
const patternsOf = (schema: Schema): string[] =>
  [schema, ...(schema.allOf ?? [])].flatMap(({ pattern }) => (pattern === undefined ? [] : [pattern]));

function brief(schema: Schema | undefined): string {
  if (schema === undefined) return 'none';
  const values = valuesOf(schema);
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  const union = alternatives(schema);
  if (union.length > 1) return union.map(brief).join(' | ');
  if (schema.type === 'object') return `{${Object.keys(schema.properties ?? {}).join(', ')}}`;
  return schema.type === 'array' ? `${brief(schema.items)}[]` : String(schema.type ?? 'anything');
}

/** A JSON Schema as generated by zod. */
export interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  pattern?: string;
  format?: string;
  description?: string;
  $ref?: string;
  default?: unknown;
  [key: string]: unknown;
}

import { z } from 'zod';
import { schemaHints } from './reference.js';

const DOTS = ['.', '..'];
const notDots = (value: string) => !DOTS.includes(value);

/** Text that Postgres can store unchanged: no NUL and no lone surrogate. `max` counts characters, not UTF-16 units. */
export const text = (max: number, min = 1) =>
  z
    .string()
    .refine((value) => value.isWellFormed() && !value.includes('\u0000'), 'must be valid Unicode text without NUL')
    .refine((value) => value.length <= max * 2 && [...value].length <= max, `must be at most ${max} characters`)
    .refine((value) => min === 0 || value.trim().length >= min, min === 1 ? 'must not be empty' : `must be at least ${min} characters`)
    // A refinement is code, so the limits are also declared as metadata: contracts are compared with the last release by it.
    .meta({ minLength: min, maxLength: max })
    .register(schemaHints, min === 0 ? {} : { pattern: '\\S' });

/**
 * Control characters except tab and line breaks, and characters that change the reading order of the text around them
 * (bidirectional embeddings, overrides, isolates).
 */
const UNSEEN = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069';
const HAS_UNSEEN = new RegExp(`[${UNSEEN}]`);

/**
 * Also a name of these alone would look empty: joiners, fillers of Hangul, the blank of Braille, selectors, tags. Those of the first plane are escaped and the
 * others literal, so that each engine of regular expressions that reads our JSON schemas takes them.
 */
const INVISIBLE =
  '\\u00ad\\u034f\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2060-\\u2065\\u206a-\\u206f' +
  '\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}';
const VISIBLE = `[^\\s${UNSEEN}${INVISIBLE}]`;
const HAS_VISIBLE = new RegExp(VISIBLE, 'u');

/** Text of one participant that others see: a name, a title, a message. */
export const shownText = (max: number) =>
  text(max)
    .refine((value) => !HAS_UNSEEN.test(value), 'must not hold control characters')
    .refine((value) => value.trim() === '' || HAS_VISIBLE.test(value), 'must hold a visible character')
    .register(schemaHints, { pattern: `^[^${UNSEEN}]*${VISIBLE}[^${UNSEEN}]*$` });

/** The caller's room identifier. Never used in a subject or a LiveKit name; `sid` is. */
export const documentId = z.string().regex(/^doc_[A-Za-z0-9]{20}$/, 'must be a document id such as doc_…');

export const roomId = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,128}$/, 'must be 1 to 128 of A-Z a-z 0-9 . _ : -')
  .refine(notDots, 'must not be . or ..')
  .register(schemaHints, { not: { enum: DOTS } });

/** The caller's name of a preset. */
export const presetName = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 . _ -')
  .refine(notDots, 'must not be . or ..')
  .register(schemaHints, { not: { enum: DOTS } });

/** `EG_` is the prefix of recorders in a room, so no participant's uid may begin with it. */
export const uid = z
  .string()
  .regex(/^[A-Za-z0-9._:@|+=~-]{1,128}$/, 'must be 1 to 128 of A-Z a-z 0-9 . _ : - @ | + = ~')
  .refine(notDots, 'must not be . or ..')
  .refine((value) => !value.startsWith('EG_'), 'must not begin with EG_')
  .register(schemaHints, { not: { anyOf: [{ enum: DOTS }, { pattern: '^EG_' }] } });

export const organizationId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 _ -');

/** Our stable identifier of a room. It is also the name of the LiveKit room. */
export const roomSid = z.string().regex(/^RM_[A-Za-z0-9]{16}$/, 'must be a room sid');

export const role = z.enum(['TEACHER', 'STUDENT', 'MODERATOR', 'ADMIN']);
export type Role = z.infer<typeof role>;

/** ISO 8601 in UTC with milliseconds. */
export const timestamp = z.iso.datetime();

const WITHOUT_OFFSET = /T[\d:.]+$/;

/** A timestamp in a request: any UTC offset is accepted; without one it is UTC. */
export const instant = z.preprocess(
  (value) => (typeof value === 'string' && WITHOUT_OFFSET.test(value) ? `${value}Z` : value),
  z.iso.datetime({ offset: true, error: 'must be an instant such as 2026-01-31T08:00:00Z' }),
);

/** The caller's key that makes a POST safe to repeat. */
export const idempotencyKey = z.string().regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters');

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

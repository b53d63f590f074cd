import { schemaOf, z } from './list-contracts.ts';
import { breakingChanges } from './schema-changes.ts';

const changesOf = (direction: 'accepts' | 'sends') => (old: any, now: any) => {
  const io = direction === 'accepts' ? 'input' : 'output';
  return breakingChanges(schemaOf(old, io), schemaOf(now, io), direction, 'it').map(({ path, what }) => `${path} ${what}`);
};
const room = z.object({
  id: z.string(),
  title: z.string().max(20),
  seats: z.number().int().min(1).max(50).default(10),
  theme: z.enum(['light', 'dark']).optional(),
});
const prepaid = z.object({ type: z.literal('PREPAID'), credits: z.number() });
const postpaid = z.object({ type: z.literal('POSTPAID'), due: z.string() });
const plans = z.discriminatedUnion('type', [prepaid, postpaid]);

describe('changes of a request from old callers', () => {
  test.each([
    ['nothing changed', room, room, []],
    ['a new optional field', room, room.extend({ note: z.string().optional() }), []],
    ['a new field with a default', room, room.extend({ note: z.string().default('') }), []],
    ['a field became optional', room, room.partial({ title: true }), []],
    ['a limit became wider', room, room.extend({ title: z.string().max(200) }), []],
    ['a limit went', room, room.extend({ title: z.string() }), []],
    ['a pattern went', z.string().regex(/^a/), z.string(), []],
    ['a value was added', room, room.extend({ theme: z.enum(['light', 'dark', 'auto']).optional() }), []],
    ['a kind was added', z.discriminatedUnion('type', [prepaid]), plans, []],
    ['a type became a union', room, room.extend({ title: z.union([z.string().max(20), z.number()]) }), []],
    ['null is taken too', room, room.extend({ title: z.string().max(20).nullable() }), []],
    ['whole numbers became any', z.int(), z.number(), []],
    ['declared fields became any', room.omit({ seats: true }), z.record(z.string(), z.unknown()), []],
    ['a new required field', room, room.extend({ note: z.string() }), ['it.note is new and required']],
    ['a field became required', room, room.required({ theme: true }), ['it.theme became required']],
    ['a field is gone', room, room.omit({ theme: true }), ['it.theme is dropped unread']],
    ['a field of another type', room, room.extend({ id: z.number() }), ['it.id another type']],
    ['a lower limit', room, room.extend({ title: z.string().max(10) }), ['it.title another maxLength']],
    ['a limit where none was', room, room.extend({ id: z.string().min(3) }), ['it.id another minLength']],
    ['a higher least', room, room.extend({ seats: z.int().min(2).max(50).default(10) }), ['it.seats another minimum']],
    ['fewer entries', z.array(z.string()).max(9), z.array(z.string()).max(8), ['it another maxItems']],
    ['entries of another type', z.array(z.string()), z.array(z.number()), ['it[] another type']],
    ['a pattern', z.string(), z.string().regex(/^a/), ['it another pattern']],
    ['another second pattern', z.string().regex(/a/).regex(/b/), z.string().regex(/a/).regex(/c/), ['it another pattern']],
    ['a format', z.string(), z.iso.datetime(), ['it another format', 'it another pattern']],
    ['one value less', room, room.extend({ theme: z.enum(['light']).optional() }), ['it.theme a value is no longer taken']],
    ['any text became a few', room, room.extend({ id: z.enum(['a']) }), ['it.id a value is no longer taken']],
    ['one kind less', plans, z.discriminatedUnion('type', [prepaid]), ['it one of the kinds is no longer taken']],
    [
      'a required field in a kind',
      plans,
      z.discriminatedUnion('type', [prepaid.extend({ rate: z.number() }), postpaid]),
      ['it.rate is new and required'],
    ],
    ['null is no longer taken', z.string().nullable(), z.string(), ['it one of the kinds is no longer taken']],
    [
      'another default',
      room,
      room.extend({ seats: z.int().min(1).max(50).default(20) }),
      ['it.seats who leaves it out gets another default'],
    ],
    ['unknown fields are refused', room, z.strictObject(room.shape), ['it fields that it does not know are refused']],
    [
      'any keys became declared ones',
      z.record(z.string(), z.string()),
      z.object({ a: z.string().optional() }),
      ['it keys of the caller’s choice are no longer taken'],
    ],
    ['any keys of another type', z.record(z.string(), z.string()), z.record(z.string(), z.number()), ['it.* another type']],
    ['keys of a form', z.record(z.string(), z.string()), z.record(z.string().regex(/^a/), z.string()), ['it.<key> another pattern']],
    [
      'something deep',
      z.object({ a: z.array(z.object({ b: room })) }),
      z.object({ a: z.array(z.object({ b: room.required({ theme: true }) })) }),
      ['it.a[].b.theme became required'],
    ],
    ['anything became something', z.unknown(), z.string(), ['it another type']],
  ])('%s', (_, old, now, found) => expect(changesOf('accepts')(old, now)).toEqual(found));
});

describe('changes of a reply to old readers', () => {
  test.each([
    ['nothing changed', room, room, []],
    ['a new field', room, room.extend({ note: z.string() }), []],
    ['an optional field is always there now', room, room.required(), []],
    ['a field whose default went is always written all the same', room, room.extend({ seats: z.int().min(1).max(50) }), []],
    ['a value that is no longer sent', room, room.extend({ theme: z.enum(['light']).optional() }), []],
    ['a kind that is no longer sent', plans, z.discriminatedUnion('type', [prepaid]), []],
    [
      'a new value where readers accept any text',
      z.object({ state: z.enum(['a']).or(z.string()) }),
      z.object({ state: z.enum(['a', 'b']).or(z.string()) }),
      [],
    ],
    [
      'a new value where readers accept unknown ones',
      z.object({ state: z.enum(['a']).meta({ 'x-extensible': true }) }),
      z.object({ state: z.enum(['a', 'b']) }),
      [],
    ],
    ['a constant where any text was', room, room.extend({ id: z.literal('a') }), []],
    ['a narrower number', z.number(), z.int(), []],
    ['longer than it was', room, room.extend({ title: z.string().max(200) }), []],
    ['a field is gone', room, room.omit({ title: true }), ['it.title is gone']],
    ['an optional field is gone', room, room.omit({ theme: true }), ['it.theme is gone']],
    ['a field of another type', room, room.extend({ id: z.number() }), ['it.id another type']],
    ['a field is no longer always there', room, room.partial({ title: true }), ['it.title is no longer always there']],
    [
      'a field may be null',
      room,
      room.extend({ title: z.string().max(20).nullable() }),
      ['it.title there is a kind that readers do not know'],
    ],
    [
      'a new value',
      room,
      room.extend({ theme: z.enum(['light', 'dark', 'auto']).optional() }),
      ['it.theme a value that readers do not know'],
    ],
    [
      'a new value where unknown ones are announced only now',
      z.enum(['a']),
      z.enum(['a', 'b']).meta({ 'x-extensible': true }),
      ['it a value that readers do not know'],
    ],
    ['a few values became any text', z.enum(['a']), z.string(), ['it a value that readers do not know']],
    ['a new kind', z.discriminatedUnion('type', [prepaid]), plans, ['it there is a kind that readers do not know']],
    [
      'a kind next to others',
      plans,
      z.union([plans, z.object({ type: z.literal('FREE') })]),
      ['it there is a kind that readers do not know'],
    ],
    [
      'a field of one kind is gone',
      plans,
      z.discriminatedUnion('type', [prepaid.omit({ credits: true }), postpaid]),
      ['it.credits is gone'],
    ],
    ['another form', z.iso.datetime(), z.string(), ['it another format', 'it another pattern']],
    ['fractions', z.int(), z.number(), ['it another type']],
    [
      'something deep',
      z.array(z.object({ rooms: z.array(room) })),
      z.array(z.object({ rooms: z.array(room.omit({ id: true })) })),
      ['it[].rooms[].id is gone'],
    ],
    ['anything', z.string(), z.unknown(), ['it another type']],
  ])('%s', (_, old, now, found) => expect(changesOf('sends')(old, now)).toEqual(found));
});

test('changes that cannot be judged are reported', () => {
  expect(breakingChanges({ type: 'number' }, { type: 'number', multipleOf: 2 }, 'accepts', 'it')).toEqual([
    { path: 'it', what: 'multipleOf changed, which this comparison can not judge', was: undefined, is: 2 },
  ]);
});

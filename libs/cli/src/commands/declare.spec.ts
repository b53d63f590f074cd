import { Printer } from '../output/printer.js';
import { MemoryIo } from '../testing/memory-io.js';
import { choice, parseCount, parseDuration, parseList, parseNumber, parseSequence, parseTime, take } from './declare.js';
import { uidOf } from './rooms.js';

const NOW = Date.parse('2026-01-15T10:00:00Z');

it.each([
  ['90s', '2026-01-15T09:58:30.000Z'],
  ['30m', '2026-01-15T09:30:00.000Z'],
  ['2h', '2026-01-15T08:00:00.000Z'],
  ['7d', '2026-01-08T10:00:00.000Z'],
  ['2026-01-15T11:00:00+01:00', '2026-01-15T10:00:00.000Z'],
])('%s is a time', (text, iso) => expect(parseTime(text, NOW)).toBe(iso));

it.each([
  ['90s', 90_000],
  ['30d', 30 * 86_400_000],
])('%s takes %d ms', (text, ms) => expect(parseDuration(text)).toBe(ms));

it.each<[(text: string) => unknown, string]>([
  [parseDuration, '0d'],
  [parseDuration, '1w'],
  [parseDuration, '-1h'],
  [parseTime, 'yesterday'],
  [parseTime, '2w'],
  [parseCount, '0'],
  [parseCount, '1.5'],
  [parseSequence, '-1'],
  [parseSequence, 'evt_1'],
  [parseNumber, ''],
  [parseNumber, 'ten'],
])('%p refuses %j', (parse, text) => expect(() => parse(text)).toThrow(/^It must be/));

it('values are accepted in upper and lower case, others are refused', () => {
  const { parseArg } = choice('--role <role>', 'role', ['TEACHER', 'STUDENT']);
  expect(parseArg?.('teacher', undefined)).toBe('TEACHER');
  expect(() => parseArg?.('pupil', undefined)).toThrow('Allowed choices are TEACHER, STUDENT.');
});

it('a list has no empty entries', () => expect(parseList(' room.created, ,room.finished,')).toEqual(['room.created', 'room.finished']));

it.each([
  ['Ada Lovelace', 'ada-lovelace'],
  ['Émilie du Châtelet ', 'emilie-du-chatelet'],
  ['日本', 'participant'],
])('the id of %s is %s', (name, uid) => expect(uidOf(name)).toBe(uid));

describe('a list', () => {
  const numbers = async function* (count: number) {
    for (let n = 1; n <= count; n++) yield n;
  };
  it.each([
    [2, false, [1, 2], /more than 2/],
    [3, false, [1, 2, 3], /^$/],
    [2, true, [1, 2, 3], /^$/],
  ])('of three ends at --limit %d, unless --all is %s', async (limit, all, shown, remark) => {
    const io = new MemoryIo();
    expect(await take(numbers(3), { limit, all }, new Printer(io, false))).toEqual(shown);
    expect(io.remarks).toMatch(remark);
  });
});

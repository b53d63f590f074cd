import { fields, plain, table, time, widthOf } from './text.js';

it('a table has aligned columns, also with wide characters and none at the end of a line', () => {
  const rows = [
    { name: '幾何 7b', people: 12 },
    { name: 'Algebra', people: null },
  ];
  expect(
    table(
      [
        ['name', ({ name }) => name],
        ['people', ({ people }) => people],
      ],
      rows,
    ),
  ).toBe('NAME     PEOPLE\n幾何 7b  12\nAlgebra  -\n');
});

it('fields are a name and a value in each line', () => {
  expect(fields({ Room: 'algebra-1', 'Is live': true, Types: ['a', 'b'], Ended: null })).toBe(
    'Room     algebra-1\nIs live  yes\nTypes    a, b\nEnded    -\n',
  );
});

it.each([
  ['\u001B[31mred\u001B[0m', ' [31mred [0m'],
  ['two\nlines\tand\rmore', 'two lines and more'],
  ['\u009B2J', ' 2J'],
  ['a\u202Eb', 'a b'],
  ['Zoë 👩‍🏫', 'Zoë 👩‍🏫'],
])('a text cannot control the terminal: %j', (text, shown) => expect(plain(text)).toBe(shown));

it.each([
  ['abc', 3],
  ['e\u0301', 1],
  ['日本', 4],
  ['👩‍🏫', 2],
])('%j takes %d cells', (text, width) => expect(widthOf(text)).toBe(width));

it('a time is shown to the second', () => {
  expect([time('2026-01-15T10:00:00.123Z'), time(null)]).toEqual(['2026-01-15T10:00:00Z', '-']);
});

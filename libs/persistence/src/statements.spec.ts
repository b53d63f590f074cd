import type { Transaction } from './database.js';
import { arraysOf, declaredStatements, jsonOf, namedArraysOf, queryOf, statements, type StatementTypes } from './statements.js';

interface Statements {
  'rooms.find': { parameters: [string, number | null]; row: { sid: string } };
  'rooms.insert': { parameters: { sid: string; title: string | null }; row: object };
  'rooms.mixed': { parameters: []; row: object };
}

const sql = statements<Statements>('spec');
const find = sql('rooms.find', 'SELECT sid AS "sid!" FROM rooms WHERE sid = $1 AND n = $2');
const insert = sql.planned('rooms.insert', 'INSERT INTO rooms VALUES (:sid, :title, :sid || :title)');

describe('a statement', () => {
  it('takes its values in the order of their numbers, or by name', () => {
    expect(queryOf(find, ['a', null])).toEqual({
      name: expect.stringMatching(/^rooms\.find:.{8}$/),
      text: 'SELECT sid AS "sid" FROM rooms WHERE sid = $1 AND n = $2',
      values: ['a', null],
    });
    expect(queryOf(insert, [{ title: null, sid: 'a' }])).toEqual({
      text: 'INSERT INTO rooms VALUES ($1, $2, $1 || $2)',
      values: ['a', null],
    });
  });

  it('ignores what else an object has, and fails without a value that it needs', () => {
    const room = { sid: 'a', title: 'Maths', isLive: true };
    expect(queryOf(insert, [{ ...room }]).values).toEqual(['a', 'Maths']);
    const untitled = { sid: 'a' } as typeof room;
    expect(() => queryOf(insert, [untitled])).toThrow(`the statement ${insert.name} has no value for :title`);
  });

  it('is declared with numbers for names, and not with both', () => {
    const declared = declaredStatements().find(({ schema, name }) => schema === 'spec' && name === 'rooms.insert');
    expect(declared).toMatchObject({ text: 'INSERT INTO rooms VALUES ($1, $2, $1 || $2)', names: ['sid', 'title'] });
    expect(() => sql('rooms.mixed', 'SELECT :sid, $1')).toThrow('the statement rooms.mixed: parameters are named');
  });

  it('is checked by the compiler', () => {
    const calls = (tx: Transaction) => [
      tx.run(find, 'a', 1),
      tx.run(insert, { sid: 'a', title: null }),
      // @ts-expect-error a value is missing
      tx.run(find, 'a'),
      // @ts-expect-error a name is missing
      tx.run(insert, { sid: 'a' }),
      // @ts-expect-error there is no such name
      tx.run(insert, { sid: 'a', title: null, isLive: true }),
      // @ts-expect-error a value has another type
      tx.first(insert, { sid: 'a', title: 1 }),
      // @ts-expect-error the values have names
      tx.run(insert, 'a', null),
    ];
    expect(calls).toBeDefined();
  });
});

describe('named parameters of a statement', () => {
  const declare = statements<Record<string, StatementTypes>>('spec');
  const numberParameters = (text: string) => {
    const { text: numbered, names } = declare(text, text);
    return { text: numbered, names };
  };

  it('are numbered in their order, each name once', () => {
    expect(numberParameters('SELECT :a, f(:roomId, :a) WHERE n=:b2 AND x = ANY(:roomId::text[]) OR d - :b2::int8')).toEqual({
      text: 'SELECT $1, f($2, $1) WHERE n=$3 AND x = ANY($2::text[]) OR d - $3::int8',
      names: ['a', 'roomId', 'b2'],
    });
  });

  it.each([
    ['a cast', 'SELECT now()::date, n::text FROM t'],
    ['a string', `SELECT 'at :time', 'it''s :one', '{"a":b}'`],
    ['a string with escapes', String.raw`SELECT E'it\'s :one'`],
    ['a dollar-quoted string', 'DO $$ SELECT :one $$'],
    ['a quoted name', 'SELECT n AS "n:one", m AS ":two!"'],
    ['a comment', '-- late: see :one\nSELECT 1 /* and :two */ -- :three'],
    ['an assignment', 'SELECT f(a := 1, b:=2)'],
    ['a slice', 'SELECT list[1:n], (a[2])[1:m], b[f(1):n]'],
    ['a string without an end', `SELECT ':one`],
    ['numbers', 'SELECT $1, $2 WHERE a = $1'],
  ])('are not in %s', (_, text) => {
    expect(numberParameters(text)).toEqual({ text, names: undefined });
  });

  it('are found behind each of these', () => {
    const text = `SELECT 'a''b' || :x, "c""d" + :y /* :no */ - :z -- :no\n, E'\\'' || $$:no$$ || (:x)`;
    expect(numberParameters(text).names).toEqual(['x', 'y', 'z']);
  });

  it('and numbers are not in one statement, except where one of them is text', () => {
    expect(() => numberParameters('SELECT :a, $2')).toThrow('named, such as :a, or numbered, such as $2');
    expect(numberParameters(`SELECT :a, '$2' -- $3`).text).toBe(`SELECT $1, '$2' -- $3`);
  });
});

describe('parameters of a statement', () => {
  const rows: { id: number; name?: string; isOpen: boolean }[] = [
    { id: 1, name: 'a', isOpen: false },
    { id: 2, isOpen: true },
  ];

  it('are one array for each key, in the order of the rows, with null where there is no value', () => {
    const arrays: [number[], (string | null)[], boolean[]] = arraysOf(rows, 'id', 'name', 'isOpen');
    expect(arrays).toEqual([
      [1, 2],
      ['a', null],
      [false, true],
    ]);
    expect(arraysOf([] as typeof rows, 'id', 'name')).toEqual([[], []]);
  });

  it('are the same arrays by name', () => {
    const arrays: { id: number[]; name: (string | null)[] } = namedArraysOf(rows, 'id', 'name');
    expect(arrays).toEqual({ id: [1, 2], name: ['a', null] });
    expect(namedArraysOf([] as typeof rows, 'id', 'isOpen')).toEqual({ id: [], isOpen: [] });
  });

  it('are the text of json values, null where there is no value', () => {
    const row: { data: object; note: string[] | null; more?: object; id: number } = { data: { a: [1] }, note: null, id: 1 };
    expect({ ...row, ...jsonOf(row, 'data', 'note', 'more') }).toEqual({ data: '{"a":[1]}', note: null, more: null, id: 1 });
  });
});

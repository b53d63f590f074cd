import { numberParameters } from './named-parameters.js';

describe('named parameters of a statement', () => {
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

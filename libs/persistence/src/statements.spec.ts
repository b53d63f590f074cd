import type { Transaction } from './database.js';
import { declaredStatements, queryOf, statements } from './statements.js';

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

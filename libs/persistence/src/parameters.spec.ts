import { arraysOf, jsonOf, namedArraysOf } from './parameters.js';

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

import { arraysOf, valuesOf } from './parameters.js';

describe('parameters of a statement', () => {
  const rows: { id: number; name?: string; isOpen: boolean }[] = [
    { id: 1, name: 'a', isOpen: false },
    { id: 2, isOpen: true },
  ];

  it('are the values of a row in the order of the keys, null where there is none', () => {
    const values: [boolean, string | null, number] = valuesOf({ ...rows[1], id: 0, isOpen: false }, 'isOpen', 'name', 'id');
    expect(values).toEqual([false, null, 0]);
  });

  it('are one array for each key, in the order of the rows', () => {
    const arrays: [number[], (string | null)[], boolean[]] = arraysOf(rows, 'id', 'name', 'isOpen');
    expect(arrays).toEqual([
      [1, 2],
      ['a', null],
      [false, true],
    ]);
    expect(arraysOf([] as typeof rows, 'id', 'name')).toEqual([[], []]);
  });
});

import { applyTo, choose, mutantsOf } from './mutants.ts';

describe('mutants', () => {
  const of = (line: string) => mutantsOf('a.ts', line).map(({ after }) => after);

  test.each([
    ['if (a < b) return;', ['if (a <= b) return;', 'if (!(a < b)) return;']],
    ['const HOUR_S = 3_600;', ['const HOUR_S = 3601;']],
    ['return a && b === c;', ['return a && b !== c;', 'return a || b === c;']],
    ['  await this.outbox.add(tx, event);', [';']],
    ['  if (isDone) {', ['if (!(isDone)) {']],
    ['  isOpen: true,', ['isOpen: false,']],
  ])('of %s', (line, expected) => {
    expect(of(line)).toEqual(expected);
  });

  test.each(["import { a } from './a1.js';", '  // 1 < 2', ' * at most 5', "    logger.info({ n: 1 }, 'done');"])(
    'there is none of %s',
    (line) => {
      expect(of(line)).toEqual([]);
    },
  );

  test('replace their line alone', () => {
    const text = 'a\n  x = 1;\nb';
    const [mutant] = mutantsOf('a.ts', text);
    expect(applyTo(text, mutant!)).toBe('a\n  x = 2;\nb');
  });

  test('are chosen from as many files as there are, and equally for the same seed', () => {
    const all = ['a.ts', 'b.ts', 'c.ts'].flatMap((file) => mutantsOf(file, 'x = 1;\ny = 2;\nz = 3;'));
    const chosen = choose(all, 4, 7);
    expect(new Set(chosen.map(({ file }) => file)).size).toBe(3);
    expect(chosen).toHaveLength(4);
    expect(choose(all, 4, 7)).toEqual(chosen);
  });
});

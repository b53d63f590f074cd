import { cell, line, row } from './csv.js';

describe('csv', () => {
  it.each<[string | number | null, string]>([
    ['plain', 'plain'],
    ['two words', '"two words"'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['line\nbreak', '"line\nbreak"'],
    ['=SUM(A1)', "'=SUM(A1)"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@x', "'@x"],
    ['= 1', '"\'= 1"'],
    ['\n=1', '"\'\n\'=1"'],
    ['＝1+1', "'＝1+1"],
    ['Ann;=1+1', '"Ann;\'=1+1"'],
    ['Ann| @x', '"Ann| \'@x"'],
    ['Ann\n+1', '"Ann\n\'+1"'],
    ['a;b-c', '"a;b-c"'],
    [-5, '-5'],
    [null, ''],
  ])('%j is written %s', (value, written) => expect(cell(value)).toBe(written));

  it('keeps labels as the contract prints them', () => {
    expect(row('Participant UID', 'u 1')).toBe('Participant UID,"u 1"\r\n');
    expect(line('Summary')).toBe('Summary\r\n');
  });
});

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
    [' =1', '" =1"'],
    ['\t=1', '"\'\t\'=1"'],
    ['a;\u2003 =1', '"a;\u2003 \'=1"'],
    [';=;+;x-', '";\'=;\'+;x-"'],
    [-5, '-5'],
    [null, ''],
  ])('%j is written %s', (value, written) => expect(cell(value)).toBe(written));

  // A form that looks back from each character does not end within the time limit.
  it.each([' ', '\n', ';', '\t ', '= '])('formats a megabyte of %j in one pass', (text) => {
    const value = `a${text.repeat(1_000_000)}b-`;
    expect(cell(value).length).toBeGreaterThan(value.length);
  });

  it('keeps labels as the contract prints them', () => {
    expect(row('Participant UID', 'u 1')).toBe('Participant UID,"u 1"\r\n');
    expect(line('Summary')).toBe('Summary\r\n');
  });
});

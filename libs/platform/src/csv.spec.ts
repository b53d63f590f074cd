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

  it('can be read back with every character of Unicode', () => {
    const wrong: string[] = [];
    // Every character of the first plane, and one of each 16 of the others.
    for (let code = 0; code <= 0x10_ff_ff; code += code < 0x1_00_00 ? 1 : 16) {
      const value = `a${String.fromCodePoint(code)}b,"c`;
      const written = cell(value);
      if (written !== `"${value.replaceAll('"', '""')}"`) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });

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

import { shownText } from './values.js';

describe('text that participants see of each other', () => {
  const schema = shownText(20);
  const isTaken = (value: string) => schema.safeParse(value).success;

  it.each(['Ada', 'two\nlines\tand a tab', 'שלום\u200f!', '\u061cسلام', 'مرحبا', '👩‍🏫', 'e\u0301', '日本語'])('may be %j', (value) => {
    expect(isTaken(value)).toBe(true);
  });

  it.each(['\u0001', 'a\u0000', 'a\u001b[31m', 'a\u007f', 'a\u0085', 'moc\u202elave', '\u2067Ada\u2069', ' ', ''])(
    'may not be %j',
    (value) => {
      expect(isTaken(value)).toBe(false);
    },
  );

  it.each([
    '\u200b',
    '\u3164',
    '\uffa0\u115f\u1160',
    '\u2800',
    ' \u00ad\u2060 ',
    '\ufe0f',
    '\u{e0001}\u{e0041}\u{e007f}',
    '\u3000\n',
    '\ufeff',
  ])('holds a visible character, not %j alone', (value) => {
    expect(isTaken(value)).toBe(false);
    expect(isTaken(`${value}a`)).toBe(true);
  });

  it('is, as one character of any category of Unicode, taken exactly if it is seen', () => {
    const unseen = /[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\p{Cf}\p{Cs}\u2800]/u;
    const wrong: string[] = [];
    // Every character of the first plane, and one of each 16 of the others.
    for (let code = 0; code <= 0x10_ff_ff; code += code < 0x1_00_00 ? 1 : 16) {
      const character = String.fromCodePoint(code);
      if (isTaken(character) === unseen.test(character)) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });
});

import { fold } from './fold.js';

it.each([
  ['Straße', 'STRASSE'],
  ['STRAẞE', 'strasse'],
  ['İstanbul', 'istanbul'],
  ['Diyarbakır', 'DIYARBAKIR'],
  ['Ａｄａ', 'ada'],
  ['ﬁn', 'FIN'],
  ['ΟΔΥΣΣΕΥΣ', 'Οδυσσεύς'],
  ['Zoë', 'Zoe\u0308'],
  ['ｶﾞ', 'ガ'],
  ['한', '\u1112\u1161\u11ab'],
])('a search takes %s for %s', (one, other) => expect(fold(one)).toBe(fold(other)));

it('takes the forms of every character of Unicode for one', () => {
  const wrong: string[] = [];
  // Every character of the first plane, and one of each 16 of the others.
  for (let code = 0; code <= 0x10_ff_ff; code += code < 0x1_00_00 ? 1 : 16) {
    const character = String.fromCodePoint(code);
    const forms = [
      character.toUpperCase(),
      character.toLowerCase(),
      ...['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => character.normalize(form)),
    ];
    const folded = fold(character);
    if ([folded, ...forms].some((form) => fold(form) !== folded)) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});

it('takes different letters for different', () => expect(fold('Ada')).not.toBe(fold('Eda')));

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

it('takes different letters for different', () => expect(fold('Ada')).not.toBe(fold('Eda')));

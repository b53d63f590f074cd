import { shownText } from './ids.js';

describe('text that participants see of each other', () => {
  const isTaken = (value: string) => shownText(20).safeParse(value).success;

  it.each(['Ada', 'two\nlines\tand a tab', 'שלום\u200f!', '\u061cسلام', 'مرحبا', '👩‍🏫', 'e\u0301', '日本語'])('may be %j', (value) => {
    expect(isTaken(value)).toBe(true);
  });

  it.each(['\u0001', 'a\u0000', 'a\u001b[31m', 'a\u007f', 'a\u0085', 'moc\u202elave', '\u2067Ada\u2069', ' ', ''])(
    'may not be %j',
    (value) => {
      expect(isTaken(value)).toBe(false);
    },
  );
});

import type { StatementDetails } from './read-statements.js';
import { StatementFonts } from './statement-fonts.js';
import { statementPdf, textsOf } from './statement-pdf.js';
import { charactersOf, runsOf } from './text-painter.js';

const startedAt = '2026-11-03T08:15:00.000Z';
const statement: StatementDetails = {
  statementId: '0b9f2c1e-6d1a-4f0e-9c57-2a8d4e6b1f30',
  cycleStart: '2026-11-01T00:00:00.000Z',
  cycleEnd: '2026-12-01T00:00:00.000Z',
  creditsConsumed: 1_240,
  amount: 4.96,
  currency: 'EUR',
  classrooms: 3,
  closedAt: '2026-12-01T00:00:50.000Z',
  kinds: [
    { kind: 'AI_USAGE', credits: 40, amount: 0.16 },
    { kind: 'CHARGE', credits: 1_200, amount: 4.8 },
  ],
  classes: [
    { roomId: 'geometry-7b', title: 'Größenlehre 7b', startedAt, credits: 999, amount: 3.996 },
    { roomId: 'algebra', title: '', startedAt: null, credits: 1, amount: 0.004 },
  ],
  furtherClasses: { count: 1, credits: 200, amount: 0.8 },
};

/** Without any installed fonts. */
const fonts = new StatementFonts('/nonexistent');

describe('a statement', () => {
  it('is written in English', () => {
    const { title, facts, kinds, classes } = textsOf(statement, 'en');
    expect([title, facts[1], facts[3]]).toEqual([
      'Statement',
      ['Billing cycle (UTC)', '1 Nov 2026, 00:00 – 1 Dec 2026, 00:00'],
      ['Classes', '3'],
    ]);
    expect(kinds).toEqual({
      header: ['Item', 'Credits', 'Amount'],
      rows: [
        ['AI usage', '40', '€0.16'],
        ['Class time', '1,200', '€4.80'],
      ],
      total: ['Total', '1,240', '€4.96'],
    });
    expect(classes.rows).toEqual([
      ['3 Nov 2026, 08:15', 'Größenlehre 7b', '999', '€3.996'],
      ['', 'algebra', '1', '€0.004'],
      ['', '1 further classes', '200', '€0.80'],
    ]);
  });

  it('is written in German', () => {
    const { title, facts, kinds, classes, page } = textsOf(statement, 'de');
    const plain = (cells: string[] | undefined) => cells?.map((cell) => cell.replaceAll('\u00a0', ' '));
    expect([title, facts[1], page(1, 2)]).toEqual([
      'Abrechnung',
      ['Abrechnungszeitraum (UTC)', '01.11.2026, 00:00 – 01.12.2026, 00:00'],
      'Seite 1 von 2',
    ]);
    expect(plain(kinds.total)).toEqual(['Summe', '1.240', '4,96 €']);
    expect(plain(classes.rows[0])).toEqual(['03.11.2026, 08:15', 'Größenlehre 7b', '999', '3,996 €']);
  });

  it('is a PDF file with as many pages as its classes need', async () => {
    const pagesOf = async (count: number) => {
      const classes = Array.from({ length: count }, () => ({ ...statement.classes[0]!, title: 'ж'.repeat(256) }));
      const file = (await statementPdf({ ...statement, classes }, 'Schule „Łódź“', 'de', fonts)).toString('latin1');
      expect(file.slice(0, 5)).toBe('%PDF-');
      return file.match(/\/Type \/Page\b/g)?.length;
    };
    expect([await pagesOf(0), await pagesOf(30), await pagesOf(400)]).toEqual([1, 2, 10]);
  });

  it('is written with characters of any category of Unicode, in any order', async () => {
    const every = 613;
    const characters = Array.from({ length: 0x11_00_00 / every }, (_, n) => String.fromCodePoint(n * every).toWellFormed());
    const classes = Array.from({ length: characters.length / 200 }, (_, n) => ({
      ...statement.classes[0]!,
      title: characters.slice(n * 200, (n + 1) * 200).join(''),
    }));
    const file = await statementPdf({ ...statement, classes }, 'A school', 'en', fonts);
    expect(file.subarray(-6).toString()).toContain('%%EOF');
  });

  it.each([
    ['Größe, Жук', ['regular: Größe, Жук']],
    ['درس (الصف 7)', ['regular, from the right: (', 'regular: 7', 'regular, from the right: درس )الصف ']],
    ['שיעור 12, כיתה', ['regular, from the right: , כיתה', 'regular: 12', 'regular, from the right: שיעור ']],
    [
      'Mixed درس and שיעור!',
      ['regular: Mixed ', 'regular, from the right: درس', 'regular:  and ', 'regular, from the right: שיעור', 'regular: !'],
    ],
    ['a 🧪👩‍🏫 b ❤️', ['regular: a ', 'emoji: 🧪👩‍🏫', 'regular:  b ', 'emoji: ❤️']],
    ['soft\u00ADhyphen \u2067zero\u200Bwidth\u2069', ['regular: softhyphen ', 'regular: zerowidth']],
  ])('draws %j in runs of one font and direction, from left to right', (text, expected) => {
    const runs = runsOf(charactersOf(text), 'regular', fonts);
    expect(runs.map(({ font, direction, text: drawn }) => `${font}${direction === 'rtl' ? ', from the right' : ''}: ${drawn}`)).toEqual(
      expected,
    );
  });
});

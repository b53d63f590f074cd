import { buffer } from 'node:stream/consumers';
import type { EntryKind, StatementLanguage } from '@classroom/contracts';
import Pdf from 'pdfkit';
import type { StatementDetails } from './read-statements.js';
import { BOLD, REGULAR, type StatementFonts, type Style } from './statement-fonts.js';
import { TextPainter } from './text-painter.js';

interface Words {
  title: string;
  number: string;
  cycle: string;
  closed: string;
  classes: string;
  kind: string;
  kinds: Record<EntryKind, string>;
  start: string;
  class: string;
  furtherClasses: (count: string) => string;
  credits: string;
  amount: string;
  total: string;
  page: (page: number, pages: number) => string;
}

const WORDS: Record<StatementLanguage, Words> = {
  en: {
    title: 'Statement',
    number: 'Number',
    cycle: 'Billing cycle (UTC)',
    closed: 'Closed (UTC)',
    classes: 'Classes',
    kind: 'Item',
    kinds: {
      CHARGE: 'Class time',
      ADJUSTMENT: 'Corrections of class time',
      AI_USAGE: 'AI usage',
      OPENING: 'Opening credits',
      TOP_UP: 'Top-ups',
      CORRECTION: 'Corrections',
    },
    start: 'Start (UTC)',
    class: 'Class',
    furtherClasses: (count) => `${count} further classes`,
    credits: 'Credits',
    amount: 'Amount',
    total: 'Total',
    page: (page, pages) => `Page ${page} of ${pages}`,
  },
  de: {
    title: 'Abrechnung',
    number: 'Nummer',
    cycle: 'Abrechnungszeitraum (UTC)',
    closed: 'Abgeschlossen (UTC)',
    classes: 'Unterrichtsstunden',
    kind: 'Posten',
    kinds: {
      CHARGE: 'Unterrichtszeit',
      ADJUSTMENT: 'Korrekturen der Unterrichtszeit',
      AI_USAGE: 'KI-Nutzung',
      OPENING: 'Anfangsguthaben',
      TOP_UP: 'Aufladungen',
      CORRECTION: 'Korrekturen',
    },
    start: 'Beginn (UTC)',
    class: 'Unterricht',
    furtherClasses: (count) => `${count} weitere Unterrichtsstunden`,
    credits: 'Credits',
    amount: 'Betrag',
    total: 'Summe',
    page: (page, pages) => `Seite ${page} von ${pages}`,
  },
};

/** Day and month are clear in both languages, unlike in `en-US`. */
const LOCALES: Record<StatementLanguage, string> = { en: 'en-GB', de: 'de-DE' };

/** A statement as texts in one language. */
export interface StatementTexts {
  title: string;
  facts: [label: string, value: string][];
  kinds: StatementTable;
  classes: StatementTable;
  page: Words['page'];
}

interface StatementTable {
  header: string[];
  rows: string[][];
  total?: string[];
}

export function textsOf(statement: StatementDetails, language: StatementLanguage): StatementTexts {
  const words = WORDS[language];
  const locale = LOCALES[language];
  const whole = new Intl.NumberFormat(locale);
  const { currency } = statement;
  // As many decimals as a credit's price may have: lines add up to the total.
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency, minimumFractionDigits: 2, maximumFractionDigits: 6 });
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  const at = (instant: string | null) => (instant === null ? '' : time.format(new Date(instant)));
  const sums = ({ credits, amount }: { credits: number; amount: number }) => [whole.format(credits), money.format(amount)];
  const { kinds, classes, furtherClasses: further } = statement;
  const listed = classes.map((one) => [at(one.startedAt), one.title || one.roomId, ...sums(one)]);
  return {
    title: words.title,
    facts: [
      [words.number, statement.statementId],
      [words.cycle, `${at(statement.cycleStart)} – ${at(statement.cycleEnd)}`],
      [words.closed, at(statement.closedAt)],
      [words.classes, whole.format(statement.classrooms)],
    ],
    kinds: {
      header: [words.kind, words.credits, words.amount],
      rows: kinds.map((one) => [words.kinds[one.kind], ...sums(one)]),
      total: [words.total, ...sums({ credits: statement.creditsConsumed, amount: statement.amount })],
    },
    classes: {
      header: [words.start, words.class, words.credits, words.amount],
      rows: further.count === 0 ? listed : [...listed, ['', words.furtherClasses(whole.format(further.count)), ...sums(further)]],
    },
    page: words.page,
  };
}

/** Lengths in points, 1/72 inch. */
const MARGIN = 50;
const WIDTH = 495;
const LINE = 16;
const BOTTOM = 841 - MARGIN - LINE;
const SIZE = 9;
const GREY = '#5f6368';

/** Widths of a table's columns. The last two are numbers, which are aligned at their right. */
const KIND_COLUMNS = [330, 65, 100];
const CLASS_COLUMNS = [110, 220, 65, 100];

/** A statement as a PDF file: A4, with the fonts that it uses. */
export async function statementPdf(
  statement: StatementDetails,
  organization: string,
  language: StatementLanguage,
  fonts: StatementFonts,
): Promise<Buffer> {
  const texts = textsOf(statement, language);
  const info = { Title: `${texts.title} ${statement.statementId}`, Author: organization, CreationDate: new Date(statement.closedAt) };
  // Without a font of its own, pdfkit would load Helvetica.
  const pdf = new Pdf({ size: 'A4', margin: MARGIN, font: fonts.open(REGULAR) as never, bufferPages: true, lang: language, info });
  const file = buffer(pdf);
  const painter = new TextPainter(pdf, fonts);
  painter.drawLine(texts.title, { x: MARGIN, y: MARGIN, width: WIDTH, size: 18, style: BOLD });
  pdf.y = MARGIN + 22;
  for (const line of painter.linesOf(organization, { width: WIDTH, size: 12, style: BOLD })) {
    painter.drawLine(line, { x: MARGIN, y: pdf.y, width: WIDTH, size: 12, style: BOLD });
    pdf.y += LINE;
  }
  pdf.y += LINE;
  for (const [label, value] of texts.facts) {
    pdf.fillColor(GREY);
    painter.drawLine(label, { x: MARGIN, y: pdf.y, width: 160, size: SIZE, style: REGULAR });
    pdf.fillColor('black');
    painter.drawLine(value, { x: MARGIN + 160, y: pdf.y, width: WIDTH - 160, size: SIZE, style: REGULAR });
    pdf.y += LINE;
  }
  pdf.y += LINE;
  drawTable(pdf, painter, texts.kinds, KIND_COLUMNS);
  if (texts.classes.rows.length > 0) {
    pdf.y += LINE;
    drawTable(pdf, painter, texts.classes, CLASS_COLUMNS);
  }
  numberPages(pdf, painter, texts.page);
  pdf.end();
  return file;
}

/** Continues on further pages, each with the header. */
function drawTable(
  pdf: PDFKit.PDFDocument,
  painter: TextPainter,
  { header, rows, total }: StatementTable,
  columns: readonly number[],
): void {
  const drawHeader = () => {
    drawRow(pdf, painter, header, columns, BOLD);
    drawRule(pdf);
  };
  if (pdf.y + 3 * LINE > BOTTOM) addPage(pdf);
  drawHeader();
  for (const row of rows) {
    if (pdf.y + LINE > BOTTOM) {
      addPage(pdf);
      drawHeader();
    }
    drawRow(pdf, painter, row, columns, REGULAR);
  }
  if (!total) return;
  drawRule(pdf);
  drawRow(pdf, painter, total, columns, BOLD);
}

function drawRow(pdf: PDFKit.PDFDocument, painter: TextPainter, cells: readonly string[], columns: readonly number[], style: Style): void {
  let x = MARGIN;
  for (const [index, width = 0] of columns.entries()) {
    const align = index >= columns.length - 2 ? 'right' : 'left';
    painter.drawLine(cells[index] ?? '', { x, y: pdf.y, width: width - 6, size: SIZE, style, align });
    x += width;
  }
  pdf.y += LINE;
}

function drawRule(pdf: PDFKit.PDFDocument): void {
  pdf
    .moveTo(MARGIN, pdf.y - 2)
    .lineTo(MARGIN + WIDTH, pdf.y - 2)
    .lineWidth(0.5)
    .strokeColor(GREY)
    .stroke();
  pdf.y += 2;
}

function addPage(pdf: PDFKit.PDFDocument): void {
  pdf.addPage();
  pdf.y = MARGIN;
}

function numberPages(pdf: PDFKit.PDFDocument, painter: TextPainter, textOf: (page: number, pages: number) => string): void {
  const { count } = pdf.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page);
    pdf.fillColor(GREY);
    const y = 841 - MARGIN + 10;
    painter.drawLine(textOf(page + 1, count), { x: MARGIN, y, width: WIDTH, size: 8, style: REGULAR, align: 'right' });
  }
}

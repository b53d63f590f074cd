import { buffer } from 'node:stream/consumers';
import type { StatementDetails, StatementLanguage } from '@classroom/contracts';
import Pdf from 'pdfkit';
import { textsOf, type StatementTable } from './statement-words.js';

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

const REGULAR = require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
const BOLD = require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf');

/** A statement as a PDF file: A4, with the fonts that it uses. */
export async function statementPdf(statement: StatementDetails, organization: string, language: StatementLanguage): Promise<Buffer> {
  const texts = textsOf(statement, language);
  const info = { Title: `${texts.title} ${statement.statementId}`, Author: organization, CreationDate: new Date(statement.closedAt) };
  const pdf = new Pdf({ size: 'A4', margin: MARGIN, font: REGULAR, bufferPages: true, lang: language, info });
  const file = buffer(pdf);
  pdf.font(BOLD).fontSize(18).text(texts.title, MARGIN, MARGIN, { width: WIDTH });
  pdf.fontSize(12).text(organization, { width: WIDTH }).moveDown();
  for (const [label, value] of texts.facts) {
    const { y } = pdf;
    pdf.font(REGULAR).fontSize(SIZE).fillColor(GREY).text(label, MARGIN, y, { width: 160 });
    pdf.fillColor('black').text(value, MARGIN + 160, y, { width: WIDTH - 160 });
    pdf.y = y + LINE;
  }
  pdf.y += LINE;
  drawTable(pdf, texts.kinds, KIND_COLUMNS);
  if (texts.classes.rows.length > 0) {
    pdf.y += LINE;
    drawTable(pdf, texts.classes, CLASS_COLUMNS);
  }
  numberPages(pdf, texts.page);
  pdf.end();
  return file;
}

/** Continues on further pages, each with the header. */
function drawTable(pdf: PDFKit.PDFDocument, { header, rows, total }: StatementTable, columns: readonly number[]): void {
  const drawHeader = () => {
    drawRow(pdf, header, columns, BOLD);
    drawRule(pdf);
  };
  if (pdf.y + 3 * LINE > BOTTOM) addPage(pdf);
  drawHeader();
  for (const row of rows) {
    if (pdf.y + LINE > BOTTOM) {
      addPage(pdf);
      drawHeader();
    }
    drawRow(pdf, row, columns, REGULAR);
  }
  if (!total) return;
  drawRule(pdf);
  drawRow(pdf, total, columns, BOLD);
}

function drawRow(pdf: PDFKit.PDFDocument, cells: readonly string[], columns: readonly number[], font: string): void {
  const { y } = pdf;
  let x = MARGIN;
  for (const [index, width = 0] of columns.entries()) {
    const align = index >= columns.length - 2 ? 'right' : 'left';
    // The height of one line: a longer text ends in an ellipsis.
    pdf
      .font(font)
      .fontSize(SIZE)
      .text(cells[index] ?? '', x, y, { width: width - 6, height: SIZE, ellipsis: true, align });
    x += width;
  }
  pdf.y = y + LINE;
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

function numberPages(pdf: PDFKit.PDFDocument, textOf: (page: number, pages: number) => string): void {
  const { count } = pdf.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page);
    // Within the margin, where a text would otherwise begin a new page.
    pdf.page.margins.bottom = 0;
    pdf
      .font(REGULAR)
      .fontSize(8)
      .fillColor(GREY)
      .text(textOf(page + 1, count), MARGIN, 841 - MARGIN + 10, { width: WIDTH, align: 'right' });
  }
}

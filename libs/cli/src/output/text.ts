/** A column of a table: its heading, and its text for a row. */
export type Column<T> = [heading: string, text: (row: T) => unknown];

const segmenter = new Intl.Segmenter();
const WIDE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303F\uFF01-\uFF60]/u;

/** How many cells of a terminal a text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** The text of a value. Control characters in names and titles must not reach the terminal. */
export function plain(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length > 0 ? value.map(plain).join(', ') : '-';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  // eslint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u001F\u007F-\u009F\u200E\u200F\u2028-\u202E\u2066-\u2069]/g, ' ');
}

/** An ISO 8601 time to the second. */
export const time = (iso: string | null | undefined): string => (iso ? iso.replace(/\.\d+Z$/, 'Z') : '-');

const pad = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - widthOf(text)));

function aligned(lines: string[][]): string {
  const widths = (lines[0] ?? []).map((_, n) => lines.reduce((width, line) => Math.max(width, widthOf(line[n] ?? '')), 0));
  return lines
    .map(
      (line) =>
        `${line
          .map((text, n) => pad(text, widths[n] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** Rows under headings, with aligned columns. */
export const table = <T>(columns: readonly Column<T>[], rows: readonly T[]): string =>
  aligned([columns.map(([heading]) => heading.toUpperCase()), ...rows.map((row) => columns.map(([, text]) => plain(text(row))))]);

/** One name and value in each line. */
export const fields = (record: Readonly<Record<string, unknown>>): string =>
  aligned(Object.entries(record).map(([name, value]) => [name, plain(value)]));

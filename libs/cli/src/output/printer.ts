import type { Io } from '../io.js';
import { type Column, fields, plain, table } from './text.js';

/** Writes results to standard output, as JSON or as aligned text, and remarks to standard error. */
export class Printer {
  constructor(
    private readonly io: Io,
    readonly isJson: boolean,
  ) {}

  list<T>(rows: readonly T[], columns: readonly Column<T>[], empty: string): void {
    if (this.isJson) return this.json(rows);
    if (rows.length === 0) return this.note(empty);
    this.io.out(table(columns, rows));
  }

  /** @param shown names and values for people; the JSON is the whole record */
  record(record: object, shown: Readonly<Record<string, unknown>>): void {
    if (this.isJson) this.json(record);
    else this.io.out(fields(shown));
  }

  /** One of many results that come over time: a line of text or of JSON. */
  line(record: object, ...parts: unknown[]): void {
    this.io.out(this.isJson ? `${JSON.stringify(record)}\n` : `${parts.map(plain).join('  ')}\n`);
  }

  /** Something that is no result. */
  note(text: string): void {
    this.io.err(`${plain(text)}\n`);
  }

  private json(value: unknown): void {
    this.io.out(`${JSON.stringify(value, null, 2)}\n`);
  }
}

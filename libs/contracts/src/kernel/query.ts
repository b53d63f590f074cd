import { z } from 'zod';

interface Bounds {
  min: number;
  max?: number;
}

/** A whole number in a query string: decimal digits only. Other notations that JavaScript would convert to a number are rejected. */
export const queryInteger = ({ min, max = Number.MAX_SAFE_INTEGER }: Bounds) =>
  z.preprocess((value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value), z.int().min(min).max(max));

/** As `queryInteger`, with a default. */
export const queryIntegerOr = (fallback: number, bounds: Bounds) => queryInteger(bounds).default(fallback);

/** The first line of a table has the names of its columns, which is what programs that read CSV expect. */
export const csvFormat = z
  .enum(['report', 'table'])
  .default('report')
  .describe('With `csv`: `report` begins with a title and the totals, `table` with the names of the columns. Default: `report`.');

/** Excel takes a CSV file without the mark for the code page of the system. */
const MARK = 'with `csv`, the file begins with a byte order mark, by which Excel recognizes UTF-8. Default: `false`.';
export const csvMark = z.boolean().default(false).describe(`\`true\`: ${MARK}`);
/** Whether a query asks for a file: reading it is in the audit log where the page of a list is not. */
export const isCsv = ({ query }: { query: unknown }): boolean => (query as { export?: string }).export === 'csv';
export const csvMarkQuery = z.enum(['true', 'false']).default('false').describe(`\`true\`: ${MARK}`);

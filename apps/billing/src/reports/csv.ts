const QUOTED = /[ ,"\r\n]/;
const FORMULA = /^[=+@\t\r-]/;
const CRLF = '\r\n';

/** Formats a value like the SQL function csv_cell: quoted if RFC 4180 requires it or it contains a space; formulas are made harmless. */
export function cell(value: string | number | null): string {
  const text = typeof value === 'number' ? String(value) : (value ?? '');
  const defused = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(defused) ? `"${defused.replaceAll('"', '""')}"` : defused;
}

/** Minutes with two decimals. */
export const minutes = (seconds: number) => (seconds / 60).toFixed(2);

/** The label is printed exactly as the contract defines it; the value is quoted if necessary. */
export const row = (label: string, value: string | number | null) => `${label},${cell(value)}${CRLF}`;
export const line = (text = '') => `${text}${CRLF}`;

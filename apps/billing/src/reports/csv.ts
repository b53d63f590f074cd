const QUOTED = /[ ,"\r\n]/;
const FORMULA = /^[=+@\t\r-]/;
const CRLF = '\r\n';

/** A value as the SQL function csv_cell writes it: quoted where RFC 4180 or a space asks for it, formulas defused. */
export function cell(value: string | number | null): string {
  const text = typeof value === 'number' ? String(value) : (value ?? '');
  const defused = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(defused) ? `"${defused.replaceAll('"', '""')}"` : defused;
}

/** Minutes with two decimals. */
export const minutes = (seconds: number) => (seconds / 60).toFixed(2);

/** A label stands exactly as the contract prints it; the value is quoted where it must be. */
export const row = (label: string, value: string | number | null) => `${label},${cell(value)}${CRLF}`;
export const line = (text = '') => `${text}${CRLF}`;

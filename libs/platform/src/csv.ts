const QUOTED = /[ ,;"\t\r\n]/;
/**
 * Where a spreadsheet would see a formula: at the start of the cell, and after a character that separates cells or lines in some locales, where a quote
 * inside the field does not protect. Excel reads full-width signs like ASCII ones.
 */
const FORMULA = /^(?=[=+\-@\t\r\n＝＋－＠])|(?<=[;|\t\r\n]\s*)(?=[=+\-@＝＋－＠])/g;
const CRLF = '\r\n';

/** Formats a value: quoted if RFC 4180 requires it or it contains a space, `;` or tab; an apostrophe precedes what would be a formula. */
export function cell(value: string | number | null): string {
  const text = typeof value === 'number' ? String(value) : (value ?? '');
  const defused = typeof value === 'string' ? text.replace(FORMULA, "'") : text;
  return QUOTED.test(defused) ? `"${defused.replaceAll('"', '""')}"` : defused;
}

/** The label is printed exactly as the contract defines it; the value is quoted if necessary. */
export const row = (label: string, value: string | number | null) => `${label},${cell(value)}${CRLF}`;
export const line = (text = '') => `${text}${CRLF}`;

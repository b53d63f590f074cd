const QUOTED = /[ ,;"\t\r\n]/;
/** Begins a formula where a cell begins. Excel reads full-width signs like ASCII ones. */
const SIGNS = new Set('=+-@＝＋－＠');
/** Separates cells or lines in some locales, where a quote inside the field does not protect. */
const SEPARATORS = new Set(';|\t\r\n');
const MAY_BE_FORMULA = /[=+\-@＝＋－＠\t\r\n]/;
const CRLF = '\r\n';

/** Formats a value: quoted if RFC 4180 requires it or it contains a space, `;` or tab; an apostrophe precedes what would be a formula. */
export function cell(value: string | number | null): string {
  const text = typeof value === 'number' ? String(value) : (value ?? '');
  const defused = typeof value === 'string' && MAY_BE_FORMULA.test(text) ? defuse(text) : text;
  return QUOTED.test(defused) ? `"${defused.replaceAll('"', '""')}"` : defused;
}

/** Puts an apostrophe before what a spreadsheet would see as a formula, in one pass: what people write may be long and hostile. */
function defuse(text: string): string {
  let isAtStart = true;
  let defused = '';
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if ((isAtStart && SIGNS.has(character)) || (at === 0 && /[\t\r\n]/.test(character))) {
      defused += `${text.slice(from, at)}'`;
      from = at;
    }
    isAtStart = SEPARATORS.has(character) || (isAtStart && at > 0 && /\s/.test(character));
  }
  return defused + text.slice(from);
}

/** The label is printed exactly as the contract defines it; the value is quoted if necessary. */
export const row = (label: string, value: string | number | null) => `${label},${cell(value)}${CRLF}`;
export const line = (text = '') => `${text}${CRLF}`;

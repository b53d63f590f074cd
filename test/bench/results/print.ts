export function percentile(values: readonly number[], share: number) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Aligns the first column to the left, the others to the right. */
export function printTable(title: string, rows: (string | number)[][]) {
  console.log(`\n${title}`);
  const texts = rows.map((row) => row.map(String));
  const widths = texts[0].map((_, column) => Math.max(...texts.map((row) => row[column].length)));
  for (const row of texts)
    console.log(`  ${row.map((cell, column) => (column ? cell.padStart(widths[column]) : cell.padEnd(widths[0]))).join('  ')}`);
}

export const thousands = (value: number) => Math.round(value).toLocaleString('en-US');

/** @returns the numbers of some names, `-` for those that are missing */
export const cells = (names: readonly string[], values: Record<string, number>, digits = 0) =>
  names.map((name) => values[name]?.toFixed(digits) ?? '-');

'use strict';

/** @param {readonly number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** @param {readonly number[]} values @param {number} share */
function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** The first column to the left, the others to the right. @param {string} title @param {Array<Array<string | number>>} rows */
function printTable(title, rows) {
  console.log(`\n${title}`);
  const texts = rows.map((row) => row.map(String));
  const widths = texts[0].map((_, column) => Math.max(...texts.map((row) => row[column].length)));
  for (const row of texts) console.log(`  ${row.map((cell, column) => (column ? cell.padStart(widths[column]) : cell.padEnd(widths[0]))).join('  ')}`);
}

const thousands = (/** @type {number} */ value) => Math.round(value).toLocaleString('en-US');

module.exports = { median, percentile, printTable, thousands };

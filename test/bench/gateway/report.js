'use strict';

/** @typedef {import('./run').Series} Series */
/** @typedef {import('./run').Measured} Measured */

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Medians over the rounds; CPU as microseconds a request over all of them. @param {Measured[]} rounds */
function summarize(rounds) {
  const requests = rounds.reduce((sum, round) => sum + round.requests, 0);
  const cpu = Object.fromEntries(Object.keys(rounds[0].cpu).map((name) =>
    [name, rounds.reduce((sum, round) => sum + round.cpu[name], 0) / requests]));
  const of = (/** @type {(round: Measured) => number} */ read) => median(rounds.map(read));
  return { rate: of((it) => it.requests / it.seconds), p50: of((it) => it.p50), p99: of((it) => it.p99), cpu };
}

/** @param {Array<Array<string | number>>} rows */
function printTable(rows) {
  const texts = rows.map((row) => row.map(String));
  const widths = texts[0].map((_, column) => Math.max(...texts.map((row) => row[column].length)));
  for (const row of texts) console.log(`  ${row.map((cell, column) => (column ? cell.padStart(widths[column]) : cell.padEnd(widths[0]))).join('  ')}`);
}

const ms = (/** @type {number} */ value) => value.toFixed(1);
const share = (/** @type {number} */ part, /** @type {number} */ whole) => `${((100 * part) / whole).toFixed(0)} %`;
const sum = (/** @type {Record<string, number>} */ cpu, /** @type {string[]} */ names) => names.reduce((total, name) => total + (cpu[name] ?? 0), 0);

/** @param {string} kind @param {number} connections @param {Series} series */
function printRequests(kind, connections, series) {
  const [ours, bare] = [summarize(series.ours), summarize(series.bare)];
  const names = ['gateway', 'room', 'nats', 'postgres'];
  const row = (/** @type {string} */ side, /** @type {ReturnType<typeof summarize>} */ it) =>
    [side, Math.round(it.rate), ms(it.p50), ms(it.p99), ...names.map((name) => it.cpu[name].toFixed(0)), sum(it.cpu, ['gateway', 'room']).toFixed(0), sum(it.cpu, names).toFixed(0)];
  console.log(`\n${kind}, ${connections} connections (CPU in µs a request)`);
  printTable([['', 'req/s', 'p50 ms', 'p99 ms', ...names, 'gateway + room', 'all'], row('ours', ours), row('bare', bare)]);
  const own = ['gateway', 'room'];
  console.log(`  ours / bare rate: ${share(ours.rate, bare.rate)} (aim 70 %); bare / ours CPU: gateway + room ${share(sum(bare.cpu, own), sum(ours.cpu, own))}, all ${share(sum(bare.cpu, names), sum(ours.cpu, names))}`);
}

/** @param {number} connections @param {Series} series */
function printCreate(connections, series) {
  const [ours, bare] = [summarize(series.ours), summarize(series.bare)];
  const names = ['livekit', 'gateway', 'room', 'nats', 'postgres', 'caller'];
  const row = (/** @type {string} */ side, /** @type {ReturnType<typeof summarize>} */ it) =>
    [side, Math.round(it.rate), ms(it.p50), ms(it.p99), ...names.map((name) => (it.cpu[name] === undefined ? '-' : it.cpu[name].toFixed(0)))];
  console.log(`\ncreate, ${connections} at a time, beside createRoom of LiveKit's SDK (CPU in µs a request)`);
  printTable([['', 'req/s', 'p50 ms', 'p99 ms', ...names], row('ours', ours), row('bare', bare)]);
  console.log(`  ours / bare rate: ${share(ours.rate, bare.rate)} (aim 80 %)`);
}

/** @param {Record<string, Record<string, number>>} before @param {Record<string, Record<string, number>>} after */
function printMemory(before, after) {
  const mb = (/** @type {number} */ bytes) => Math.round(bytes / 1e6);
  const rows = Object.entries(before).flatMap(([side, processes]) =>
    Object.entries(processes).map(([name, bytes]) => [`${side} ${name}`, mb(bytes), mb(after[side][name])]));
  console.log('\nresident memory (MB)');
  printTable([['', 'before', 'after'], ...rows]);
}

module.exports = { printRequests, printCreate, printMemory };

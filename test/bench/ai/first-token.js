'use strict';

const { percentile, printTable } = require('../billing/print');

const SHARES = [0.5, 0.9, 0.99];
/** As long as a swift model takes. */
const PLAN = { tokens: 3, firstMs: 50, everyMs: 5 };

/**
 * Time to the first word, through the service and from the provider itself, one after the other in turns.
 * @param {import('./stack').BenchStack} bench @param {{ rounds: number, say: (line: string) => void }} plan
 */
async function measureFirstToken(bench, { rounds, say }) {
  await bench.says(PLAN);
  for (let round = 0; round < 50; round++) await Promise.all([bench.ours(), bench.direct()]);
  /** @type {{ ours: number[], direct: number[] }} */
  const times = { ours: [], direct: [] };
  for (let round = 0; round < rounds; round++) {
    for (const side of /** @type {const} */ (round % 2 ? ['ours', 'direct'] : ['direct', 'ours'])) times[side].push((await bench[side]()).firstMs);
  }
  const added = times.ours.map((ms, round) => ms - times.direct[round]);
  say(`first word: ${percentile(times.ours, 0.5).toFixed(1)} ms, of the provider itself ${percentile(times.direct, 0.5).toFixed(1)} ms`);
  const row = (/** @type {string} */ name, /** @type {number[]} */ values) => [name, ...SHARES.map((share) => percentile(values, share).toFixed(1))];
  return () => printTable(`Time to the first word, ms, ${rounds} answers of a provider that takes ${PLAN.firstMs} ms`, [
    ['', 'p50', 'p90', 'p99'],
    row('through the service', times.ours),
    row('the provider itself', times.direct),
    row('added, by pairs', added),
    ['ratio', ...SHARES.map((share) => (percentile(times.ours, share) / percentile(times.direct, share)).toFixed(2))],
  ]);
}

module.exports = { measureFirstToken };

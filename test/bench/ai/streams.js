'use strict';

const { setTimeout: sleep } = require('node:timers/promises');
const { median, percentile, printTable, thousands } = require('../billing/print');
const { cpuOf, difference, memoryOf } = require('../load/processes');

const MIB = 1024 ** 2;
const OURS = ['gateway', 'ai'];

/**
 * Many answers at once, each at a reading pace, through the service and from the provider itself.
 * @param {import('./stack').BenchStack} bench @param {{ streams: number, tokens: number, everyMs: number, overMs: number, rounds: number, say: (line: string) => void }} plan
 */
async function measureStreams(bench, { streams, tokens, everyMs, overMs, rounds, say }) {
  await bench.says({ tokens, firstMs: 100, everyMs });
  const pids = bench.pids();
  const words = streams * tokens;
  /** @param {'ours' | 'direct'} side */
  const round = async (side) => {
    const before = cpuOf(pids);
    const begun = performance.now();
    const heard = await Promise.all(Array.from({ length: streams }, async (_, at) => {
      await sleep((at * overMs) / streams);
      return bench[side]();
    }));
    const seconds = (performance.now() - begun) / 1000;
    const missing = heard.filter((it) => it.tokens !== tokens);
    if (missing.length > 0) throw new Error(`${missing.length} of ${streams} answers lack words`);
    const firsts = heard.map(({ firstMs }) => firstMs);
    return { seconds, first: [0.5, 0.99].map((share) => percentile(firsts, share)), cpu: difference(before, cpuOf(pids)) };
  };
  const rss = async () => {
    await sleep(3_000);
    return Object.fromEntries(Object.entries(memoryOf(pids)).map(([name, bytes]) => [name, bytes / MIB]));
  };
  await round('ours');
  const memory = [await rss()];
  /** @type {Record<'ours' | 'direct', Array<Awaited<ReturnType<typeof round>>>>} */
  const rounded = { ours: [], direct: [] };
  for (let count = 1; count <= rounds; count++) {
    for (const side of /** @type {const} */ (['direct', 'ours'])) {
      const measured = await round(side);
      rounded[side].push(measured);
      say(`${streams} at once, ${side}, round ${count} of ${rounds}: ${measured.seconds.toFixed(1)} s, ${thousands(words / measured.seconds)} words/s`);
    }
    memory.push(await rss());
  }
  const ideal = (overMs + 100 + (tokens - 1) * everyMs) / 1000;
  const cpu = (/** @type {string} */ name) => median(rounded.ours.map((it) => it.cpu[name] / words));
  const line = (/** @type {string} */ title, /** @type {'ours' | 'direct'} */ side) => {
    const seconds = median(rounded[side].map((it) => it.seconds));
    const first = [0, 1].map((at) => median(rounded[side].map((it) => it.first[at])).toFixed(0));
    return [title, seconds.toFixed(1), thousands(words / seconds), ...first];
  };
  return () => {
    printTable(`${streams} answers begun within ${overMs} ms, of ${tokens} words, one each ${everyMs} ms (${ideal.toFixed(1)} s at best)`, [
      ['', 's', 'words/s', 'first word p50, ms', 'p99'],
      line('through the service', 'ours'),
      line('the provider itself', 'direct'),
    ]);
    printTable('CPU through the service, µs a word', [['', 'µs'], ...Object.keys(pids).map((name) => [name, cpu(name).toFixed(0)]), ['gateway and ai', OURS.reduce((sum, name) => sum + cpu(name), 0).toFixed(0)]]);
    printTable('Memory, MiB resident, 3 s after a round', [['', 'warm', ...rounded.ours.map((_, at) => `round ${at + 1}`)], ...OURS.map((name) => [name, ...memory.map((it) => it[name].toFixed(0))])]);
  };
}

module.exports = { measureStreams };

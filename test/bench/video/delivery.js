'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { execFile, fork } = require('node:child_process');
const { randomBytes } = require('node:crypto');
const { once } = require('node:events');
const { promisify } = require('node:util');
const { median, printTable } = require('../billing/print');

const CONNECTIONS = 8;
/** More than the service keeps in memory: everything comes from the storage. */
const LARGE_BYTES = 160e6;

/**
 * Signed delivery at the media service's own port beside a bare file server.
 * @param {import('./stack').BenchStack} bench @param {{ seconds: number, rounds: number, say: (line: string) => void }} plan
 */
async function measureDelivery(bench, { seconds, rounds, say }) {
  const file = await bench.film(20);
  say('transcoding what is delivered');
  const objects = { segment: await segmentUrl(bench, file), 'whole file': await fileUrl(bench, file), 'beyond memory': await largeUrl(bench) };
  const folder = fs.mkdtempSync(path.join(bench.home, 'files-'));
  const bare = fork(path.join(__dirname, 'bare-files.js'), [folder]);
  const [{ port }] = await once(bare, 'message');
  /** @type {Array<Array<string>>} */
  const rows = [];
  try {
    for (const [name, url] of Object.entries(objects)) {
      const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
      fs.writeFileSync(path.join(folder, 'file'), bytes);
      /** @type {Array<[number, number]>} */
      const rates = [];
      for (let round = 0; round < rounds; round++) {
        rates.push([await rateOf(url, bytes.length, seconds), await rateOf(`http://127.0.0.1:${port}/file`, bytes.length, seconds)]);
      }
      const [ours, alone] = [median(rates.map(([rate]) => rate)), median(rates.map(([, rate]) => rate))];
      rows.push([`${name}, ${(bytes.length / 1e6).toFixed(1)} MB`, ours.toFixed(0), alone.toFixed(0), median(rates.map(([a, b]) => a / b)).toFixed(2)]);
      say(`${name}: ${ours.toFixed(0)} MB/s, bare ${alone.toFixed(0)} MB/s`);
    }
  } finally {
    bare.disconnect();
  }
  return () => printTable('Delivery, MB/s', [['', 'ours', 'bare files', 'ratio'], ...rows]);
}

/** @param {import('./stack').BenchStack} bench @param {string} videoId */
async function entryOf(bench, videoId) {
  await bench.completed(videoId);
  const { url } = await bench.call('GET', `/v1/cdn/videos/${videoId}/url`);
  return `${bench.media}${new URL(url).pathname}`;
}

/** @param {import('./stack').BenchStack} bench @param {string} file */
async function segmentUrl(bench, file) {
  const master = await entryOf(bench, await bench.waiting(file, 'hls'));
  const last = async (/** @type {string} */ playlist, /** @type {RegExp} */ pattern) => {
    const text = await (await fetch(playlist)).text();
    return new URL(text.split('\n').findLast((line) => pattern.test(line)) ?? '', playlist).href;
  };
  const variant = await last(master, /\.m3u8$/);
  return (await last(variant, /\.m4s$/)).replace(/\d+\.m4s$/, '00001.m4s');
}

/** @param {import('./stack').BenchStack} bench @param {string} file */
const fileUrl = async (bench, file) => entryOf(bench, await bench.waiting(file, 'mp4'));

/** Noise in the place of a film. @param {import('./stack').BenchStack} bench */
const largeUrl = async (bench) => entryOf(bench, await bench.single(randomBytes(LARGE_BYTES)));

/** MB/s. @param {string} url @param {number} bytes @param {number} seconds */
async function rateOf(url, bytes, seconds) {
  const { stdout } = await promisify(execFile)('wrk', ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--timeout', '10s', url]);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`not everything was delivered:\n${stdout}`);
  return (Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]) * bytes) / 1e6;
}

module.exports = { measureDelivery };

import fs from 'node:fs';
import path from 'node:path';
import { execFile, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { printTable } from '../billing/print.ts';
import { median } from '../load/results.ts';
import type { BenchStack } from './stack.ts';

const CONNECTIONS = 8;
/** More than the service caches in memory, so that everything comes from the storage. */
const LARGE_BYTES = 160e6;

/** Measures signed delivery at the media service's own port, compared with a bare file server. */
export async function measureDelivery(
  bench: BenchStack,
  { seconds, rounds, say }: { seconds: number; rounds: number; say: (line: string) => void },
) {
  const file = await bench.film(20);
  say('transcoding what is delivered');
  const objects = {
    segment: await segmentUrl(bench, file),
    'whole file': await fileUrl(bench, file),
    'beyond memory': await largeUrl(bench),
  };
  const folder = fs.mkdtempSync(path.join(bench.home, 'files-'));
  const bare = fork(path.join(import.meta.dirname, 'bare-files.ts'), [folder]);
  const [{ port }] = await once(bare, 'message');
  const rows: string[][] = [];
  try {
    for (const [name, url] of Object.entries(objects)) {
      const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
      fs.writeFileSync(path.join(folder, 'file'), bytes);
      const rates: [number, number][] = [];
      for (let round = 0; round < rounds; round++) {
        rates.push([await rateOf(url, bytes.length, seconds), await rateOf(`http://127.0.0.1:${port}/file`, bytes.length, seconds)]);
      }
      const [ours, alone] = [median(rates.map(([rate]) => rate)), median(rates.map(([, rate]) => rate))];
      rows.push([
        `${name}, ${(bytes.length / 1e6).toFixed(1)} MB`,
        ours.toFixed(0),
        alone.toFixed(0),
        median(rates.map(([a, b]) => a / b)).toFixed(2),
      ]);
      say(`${name}: ${ours.toFixed(0)} MB/s, bare ${alone.toFixed(0)} MB/s`);
    }
  } finally {
    bare.disconnect();
  }
  return () => printTable('Delivery, MB/s', [['', 'ours', 'bare files', 'ratio'], ...rows]);
}

async function entryOf(bench: BenchStack, videoId: string) {
  await bench.completed(videoId);
  const { url } = await bench.call('GET', `/v1/cdn/videos/${videoId}/url`);
  return `${bench.media}${new URL(url).pathname}`;
}

async function segmentUrl(bench: BenchStack, file: string) {
  const master = await entryOf(bench, await bench.waiting(file, 'hls'));
  const last = async (playlist: string, pattern: RegExp) => {
    const text = await (await fetch(playlist)).text();
    return new URL(text.split('\n').findLast((line) => pattern.test(line)) ?? '', playlist).href;
  };
  const variant = await last(master, /\.m3u8$/);
  return (await last(variant, /\.m4s$/)).replace(/\d+\.m4s$/, '00001.m4s');
}

const fileUrl = async (bench: BenchStack, file: string) => entryOf(bench, await bench.waiting(file, 'mp4'));

/** Random bytes instead of a film. */
const largeUrl = async (bench: BenchStack) => entryOf(bench, await bench.single(randomBytes(LARGE_BYTES)));

/** @returns MB/s */
async function rateOf(url: string, bytes: number, seconds: number) {
  const { stdout } = await promisify(execFile)('wrk', ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--timeout', '10s', url]);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`not everything was delivered:\n${stdout}`);
  return (Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]) * bytes) / 1e6;
}

import fs from 'node:fs';
import path from 'node:path';
import { execFile, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { cpuOf, difference, type Pids } from '../load/processes.ts';
import { findWrk } from '../load/wrk.ts';
import { PATHS } from '../results/paths.ts';
import { printTable } from '../results/print.ts';
import { toResult, type Measurement, type Result, type Round } from '../results/results.ts';
import type { BenchStack } from './stack.ts';

const CONNECTIONS = 8;
/** More than the service caches in memory, so that everything comes from the storage. */
const LARGE_BYTES = 160e6;

/** Measures signed delivery at the media service's own port, compared with a bare file server. */
export async function measureDelivery(
  bench: BenchStack,
  { seconds, rounds, say }: { seconds: number; rounds: number; say: (line: string) => void },
): Promise<Measurement> {
  const file = await bench.film(20);
  say('transcoding what is delivered');
  const objects = {
    segment: await segmentUrl(bench, file),
    wholeFile: await fileUrl(bench, file),
    beyondMemory: await largeUrl(bench),
  };
  const folder = fs.mkdtempSync(path.join(bench.home, 'files-'));
  const bare = fork(path.join(import.meta.dirname, 'bare-files.ts'), [folder]);
  const [{ port }] = await once(bare, 'message');
  const pids = { ours: bench.pids(), bare: { files: bare.pid ?? 0 } };
  const rows: string[][] = [];
  const results: Result[] = [];
  try {
    for (const name of ['segment', 'wholeFile', 'beyondMemory'] as const) {
      const url = objects[name];
      const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
      fs.writeFileSync(path.join(folder, 'file'), bytes);
      const all: Record<'ours' | 'bare', Round[]> = { ours: [], bare: [] };
      for (let round = 0; round < rounds; round++) {
        all.ours.push(await load(pids.ours, url, bytes.length, seconds));
        all.bare.push(await load(pids.bare, `http://127.0.0.1:${port}/file`, bytes.length, seconds));
      }
      const result = toResult(PATHS[name], all);
      const [ours, alone] = [result.ours.toFixed(0), result.bare.toFixed(0)];
      rows.push([`${result.path}, ${(bytes.length / 1e6).toFixed(1)} MB`, ours, alone, result.ratio.toFixed(2)]);
      results.push(result);
      say(`${result.path}: ${ours} MB/s, bare ${alone} MB/s`);
    }
  } finally {
    bare.disconnect();
  }
  return { print: () => printTable('Delivery, MB/s', [['', 'ours', 'bare files', 'ratio'], ...rows]), results };
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

/** Units are megabytes. */
async function load(pids: Pids, url: string, bytes: number, seconds: number): Promise<Round> {
  const before = cpuOf(pids);
  const { stdout } = await promisify(execFile)(await findWrk(), ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--timeout', '10s', url]);
  const cpu = difference(before, cpuOf(pids));
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`not everything was delivered:\n${stdout}`);
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  return { units: (perSecond * seconds * bytes) / 1e6, seconds, cpu };
}

import { randomBytes } from 'node:crypto';
import { cpuOf, difference, type Pids } from '../load/processes.ts';
import { PATHS } from '../results/paths.ts';
import { printTable } from '../results/print.ts';
import { toResult, type Measurement, type Round } from '../results/results.ts';
import type { BenchStack } from './stack.ts';

/** Measures one upload by tus in a single request, compared with one PUT to the storage. */
export async function measureUpload(
  bench: BenchStack,
  { megabytes, rounds, say }: { megabytes: number; rounds: number; say: (line: string) => void },
): Promise<Measurement> {
  const body = randomBytes(megabytes * 1e6);
  const { s3, ...others } = bench.pids();
  const pids = { ours: { ...others, s3 }, bare: { s3 } };
  const all: Record<'ours' | 'bare', Round[]> = { ours: [], bare: [] };
  for (let round = 1; round <= rounds; round++) {
    const { value: videoId, ...ours } = await measured(pids.ours, megabytes, () => tus(bench, body));
    await bench.call('DELETE', `/v1/cdn/videos/${videoId}`);
    const { value: _, ...bare } = await measured(pids.bare, megabytes, () => bench.bucket.put(`bench/${round}`, body, 'video/mp4'));
    await bench.bucket.delete(`bench/${round}`);
    all.ours.push(ours);
    all.bare.push(bare);
    say(
      `upload ${round} of ${rounds}: ${(megabytes / ours.seconds).toFixed(0)} MB/s, a bare PUT ${(megabytes / bare.seconds).toFixed(0)} MB/s`,
    );
  }
  const result = toResult(PATHS.upload, all);
  const row = [`${megabytes} MB`, result.ours.toFixed(0), result.bare.toFixed(0), result.ratio.toFixed(2)];
  return { print: () => printTable('Upload, MB/s', [['', 'tus', 'bare PUT', 'ratio'], row]), results: [result] };
}

/** @returns the video's id */
async function tus(bench: BenchStack, body: Buffer): Promise<string> {
  const about = { title: 'Noise', fileName: 'noise.mp4', size: body.length, contentType: 'video/mp4' };
  const { videoId, upload } = await bench.call('POST', '/v1/cdn/videos', about);
  const headers = { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
  const answer = await fetch(`${bench.media}${new URL(upload.url).pathname}`, { method: 'PATCH', headers, body });
  if (answer.status !== 204) throw new Error(`the upload was answered ${answer.status}: ${await answer.text()}`);
  return videoId;
}

async function measured<T>(pids: Pids, units: number, work: () => Promise<T>): Promise<Round & { value: T }> {
  const before = cpuOf(pids);
  const began = performance.now();
  const value = await work();
  return { units, seconds: (performance.now() - began) / 1000, cpu: difference(before, cpuOf(pids)), value };
}

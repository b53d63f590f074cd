import { randomBytes } from 'node:crypto';
import { printTable } from '../billing/print.ts';
import { median } from '../load/results.ts';
import type { BenchStack } from './stack.ts';

/** Measures one upload by tus in a single request, compared with one PUT to the storage. */
export async function measureUpload(
  bench: BenchStack,
  { megabytes, rounds, say }: { megabytes: number; rounds: number; say: (line: string) => void },
) {
  const body = randomBytes(megabytes * 1e6);
  const rates: [number, number][] = [];
  for (let round = 1; round <= rounds; round++) {
    const { seconds: ours, value: videoId } = await timed(() => tus(bench, body));
    await bench.call('DELETE', `/v1/cdn/videos/${videoId}`);
    const { seconds: alone } = await timed(() => bench.bucket.put(`bench/${round}`, body, 'video/mp4'));
    await bench.bucket.delete(`bench/${round}`);
    rates.push([megabytes / ours, megabytes / alone]);
    say(`upload ${round} of ${rounds}: ${(megabytes / ours).toFixed(0)} MB/s, a bare PUT ${(megabytes / alone).toFixed(0)} MB/s`);
  }
  const row = [`${megabytes} MB`, median(rates.map(([rate]) => rate)).toFixed(0), median(rates.map(([, rate]) => rate)).toFixed(0)];
  const ratio = median(rates.map(([ours, alone]) => ours / alone)).toFixed(2);
  return () =>
    printTable('Upload, MB/s', [
      ['', 'tus', 'bare PUT', 'ratio'],
      [...row, ratio],
    ]);
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

async function timed<T>(work: () => Promise<T>) {
  const began = performance.now();
  const value = await work();
  return { seconds: (performance.now() - began) / 1000, value };
}

import fs from 'node:fs';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf, cpuOfEndedChildren, difference } from '../load/processes.ts';
import { PATHS } from '../results/paths.ts';
import { printTable } from '../results/print.ts';
import { cpuRatio, toResult, totalCpu, type Measurement, type Round } from '../results/results.ts';
import type { BenchStack } from './stack.ts';

/** Measures the whole job of a video, from the bucket to the bucket, compared with only the ffmpeg command that it starts. */
export async function measureJob(
  bench: BenchStack,
  { seconds, rounds, say }: { seconds: number; rounds: number; say: (line: string) => void },
): Promise<Measurement> {
  say(`making a film of ${seconds} s`);
  const file = await bench.film(seconds);
  const all: Record<'ours' | 'bare', Round[]> = { ours: [], bare: [] };
  for (let round = 1; round <= rounds; round++) {
    const { args, ...ours } = await ourJob(bench, file, seconds);
    const bare = await bareCommand(bench, args, file, seconds);
    say(`job ${round} of ${rounds}: ${ours.seconds.toFixed(1)} s, ffmpeg alone ${bare.seconds.toFixed(1)} s`);
    all.ours.push(ours);
    all.bare.push(bare);
  }
  const result = toResult(PATHS.job, all);
  const { ours, bare, ratio, cpuPerOp } = result;
  const cpu = [cpuPerOp.ours, cpuPerOp.bare].map((it) => ((totalCpu(it) * seconds) / 1e6).toFixed(2));
  const wall = [ours, bare].map((it) => (seconds / it).toFixed(2));
  return {
    print: () =>
      printTable(`A job, 1080p film of ${seconds} s`, [
        ['', 'ours', 'ffmpeg alone', 'ratio'],
        ['wall, s', ...wall, (1 / ratio).toFixed(3)],
        ['CPU, s', ...cpu, (1 / cpuRatio(result)).toFixed(3)],
      ]),
    results: [result],
  };
}

/** Units are seconds of film. The job takes its film from the storage and puts its renditions there. */
async function ourJob(bench: BenchStack, file: string, units: number): Promise<Round & { args: string[] }> {
  const pids = bench.pids();
  const before = cpuOf(pids);
  const videoId = await bench.waiting(file, 'hls');
  const args = await ladderCommand(pids.media);
  const { seconds } = await bench.completed(videoId);
  return { units, seconds, cpu: difference(before, cpuOf(pids)), args };
}

/** Waits until the worker transcodes. @returns the command line of its ffmpeg */
async function ladderCommand(parent: number): Promise<string[]> {
  for (let turn = 0; turn < 3_000; turn++) {
    const children = fs.readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').split(' ').filter(Boolean);
    for (const child of children) {
      const args = tryRead(`/proc/${child}/cmdline`).split('\0').slice(0, -1);
      if (args.includes('-filter_complex') && args[0].endsWith('ffmpeg')) return args;
    }
    await sleep(20);
  }
  throw new Error('no ffmpeg was started');
}

/** Runs the same command with the same priority, so that other load on the machine affects both equally. */
async function bareCommand(bench: BenchStack, args: string[], file: string, units: number): Promise<Round> {
  const folder = fs.mkdtempSync(path.join(bench.home, 'bare-'));
  for (const output of args.filter((it) => /^\w+\/index\.m3u8$/.test(it))) fs.mkdirSync(path.join(folder, path.dirname(output)));
  const [program, ...options] = args.map((it) => (it.startsWith('file:') ? `file:${file}` : it));
  const before = cpuOfEndedChildren();
  const began = performance.now();
  const child = spawn('nice', ['-n', '10', program, ...options], { cwd: folder, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the bare command ended with ${code}`);
  const seconds = (performance.now() - began) / 1000;
  const ffmpeg = cpuOfEndedChildren() - before;
  fs.rmSync(folder, { recursive: true, force: true });
  return { units, seconds, cpu: { ffmpeg } };
}

function tryRead(file: string) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

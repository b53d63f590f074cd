import fs from 'node:fs';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { printTable } from '../billing/print.ts';
import { median } from '../load/results.ts';
import { cpuOf } from '../load/processes.ts';
import type { BenchStack } from './stack.ts';

/** Measures the whole job of a video, from the bucket to the bucket, compared with only the ffmpeg command that it starts. */
export async function measureJob(
  bench: BenchStack,
  { seconds, rounds, say }: { seconds: number; rounds: number; say: (line: string) => void },
) {
  say(`making a film of ${seconds} s`);
  const file = await bench.film(seconds);
  const measured: { job: Cost; bare: Cost }[] = [];
  for (let round = 1; round <= rounds; round++) {
    const { args, ...job } = await ourJob(bench, file);
    const bare = await bareCommand(bench, args, file);
    say(`job ${round} of ${rounds}: ${job.wall.toFixed(1)} s, ffmpeg alone ${bare.wall.toFixed(1)} s`);
    measured.push({ job, bare });
  }
  const row = (name: string, what: 'wall' | 'cpu') => {
    const [ours, alone] = [median(measured.map(({ job }) => job[what])), median(measured.map(({ bare }) => bare[what]))];
    const ratio = median(measured.map(({ job, bare }) => job[what] / bare[what]));
    return [name, ours.toFixed(2), alone.toFixed(2), ratio.toFixed(3)];
  };
  return () =>
    printTable(`A job, 1080p film of ${seconds} s`, [['', 'ours', 'ffmpeg alone', 'ratio'], row('wall, s', 'wall'), row('CPU, s', 'cpu')]);
}

/** in seconds */
export interface Cost {
  wall: number;
  cpu: number;
}

async function ourJob(bench: BenchStack, file: string): Promise<Cost & { args: string[] }> {
  const pid = bench.stack.app('media').pid ?? 0;
  const before = cpuOf({ pid });
  const videoId = await bench.waiting(file, 'hls');
  const args = await ladderCommand(pid);
  const { seconds } = await bench.completed(videoId);
  return { wall: seconds, cpu: (cpuOf({ pid }).pid - before.pid) / 1e6, args };
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
async function bareCommand(bench: BenchStack, args: string[], file: string): Promise<Cost> {
  const folder = fs.mkdtempSync(path.join(bench.home, 'bare-'));
  for (const output of args.filter((it) => /^\w+\/index\.m3u8$/.test(it))) fs.mkdirSync(path.join(folder, path.dirname(output)));
  const [program, ...options] = args.map((it) => (it.startsWith('file:') ? `file:${file}` : it));
  const before = cpuOfChildren();
  const began = performance.now();
  const child = spawn('nice', ['-n', '10', program, ...options], { cwd: folder, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the bare command ended with ${code}`);
  const cost = { wall: (performance.now() - began) / 1000, cpu: cpuOfChildren() - before };
  fs.rmSync(folder, { recursive: true, force: true });
  return cost;
}

/** CPU seconds of our child processes that have ended. */
function cpuOfChildren() {
  const text = fs.readFileSync('/proc/self/stat', 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function tryRead(file: string) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

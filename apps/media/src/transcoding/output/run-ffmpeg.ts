import { stat } from 'node:fs/promises';
import { inProgramSpan } from '@classroom/platform';
import { isolatedCommand, runProgram, type ResourceLimits, type RunOptions } from '@classroom/sandbox';
import type { Plan } from '../plan/plan.js';
import { rejectSource } from '../rejected-source.js';
import type { Tools } from '../transcoding-tools.js';
import type { Source } from '../source.js';
import type { Progress } from './progress.js';

const GIB = 1024 ** 3;
const MACHINE_FAULT = /No space left on device|Disk quota exceeded|error while loading shared libraries|failed to execute/;

export interface FfmpegRun {
  tools: Tools;
  source: Source;
  plan: Plan;
  progress: Progress;
  /** The source, and ffmpeg's working folder. */
  file: string;
  folder: string;
  signal: AbortSignal;
  onProgress?: () => void;
}

/** @throws RejectedSource if the file is at fault, another error if this machine is, or the signal's reason */
export async function runFfmpeg(args: string[], run: FfmpegRun): Promise<void> {
  const { tools, progress, folder, signal, onProgress } = run;
  const command = isolatedCommand(tools.isolation, await limitsOf(run), [tools.ffmpeg, ...args]);
  const options: RunOptions = {
    folder,
    signal,
    onOutput: (text) => {
      progress.read(text);
      onProgress?.();
    },
    isStalled: (processorSeconds) => progress.isStalled(processorSeconds),
  };
  const ended = await inProgramSpan(tools.ffmpeg, () => runProgram(command, options));
  const cause = new Error(`ffmpeg ended with ${ended.exitSignal ?? ended.code}: ${ended.stderrTail}`);
  if (ended.wasStalled) throw rejectSource('stalled', cause);
  if (ended.code === 0) return;
  throw MACHINE_FAULT.test(ended.stderrTail) ? cause : rejectSource('undecodable', cause);
}

/** Limits that are far above what a legitimate file needs. */
async function limitsOf({ source, plan, file }: FfmpegRun): Promise<ResourceLimits> {
  const { size } = await stat(file);
  const kbps = plan.variants.reduce((sum, { video, audioKbps = 0 }) => sum + (video?.kbps ?? 0) + audioKbps, 0);
  const fileSize = plan.isRemuxed ? 1.2 * size : 2 * source.duration * kbps * 125;
  return { memory: 8 * GIB, processorSeconds: 600 + 120 * source.duration, fileSize: fileSize + GIB / 4 };
}

import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, sep } from 'node:path';

/** A process for sure: a number alone is given again. */
export interface ProcessMark {
  pid: number;
  /** Clock ticks since the machine came up; empty where the system does not tell. */
  startedAt: string;
}

export const self = (): ProcessMark => ({ pid: process.pid, startedAt: startOf(process.pid) });

export async function isAlive({ pid, startedAt }: ProcessMark): Promise<boolean> {
  if (startOf(pid) !== startedAt) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Ends what a killed recorder left at work in a folder: its browser, told by the profile that it was started with, and its
 * ffmpeg, told by the files. Both end by themselves in most cases; here it is made sure of, where there is a /proc.
 */
export async function endLeftOvers(folder: string): Promise<number> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  let ended = 0;
  for (const pid of pids) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (!worksIn(folder, command.split('\0'))) continue;
    try {
      process.kill(Number(pid), 'SIGKILL');
      ended += 1;
    } catch {
      // It ended meanwhile.
    }
  }
  return ended;
}

export function worksIn(folder: string, [program = '', ...options]: string[]): boolean {
  if (options.some((option) => option.startsWith(`--user-data-dir=${folder}${sep}`))) return true;
  return /^ff(mpeg|probe)/.test(basename(program)) && options.some((option) => option.startsWith(`${folder}${sep}`));
}

function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name stands in brackets and may hold anything; the start is the 20th field after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

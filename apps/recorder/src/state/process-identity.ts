import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, sep } from 'node:path';

/** Identifies a process reliably: the system reuses process ids. */
export interface ProcessIdentity {
  pid: number;
  /** Clock ticks from the machine's start to the process's; empty if the system does not report them. */
  startedAt: string;
}

export const currentProcess = (): ProcessIdentity => ({ pid: process.pid, startedAt: startTimeOf(process.pid) });

export async function isAlive({ pid, startedAt }: ProcessIdentity): Promise<boolean> {
  if (startTimeOf(pid) !== startedAt) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Kills what a killed recorder left running in a folder: its browser, identified by the profile with which it was started, and its
 * ffmpeg, identified by its files. Both usually end by themselves; where there is a /proc, this makes certain.
 * @returns how many processes it killed
 */
export async function killLeftoverProcesses(folder: string): Promise<number> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  let ended = 0;
  for (const pid of pids) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (!usesFolder(folder, command.split('\0'))) continue;
    try {
      process.kill(Number(pid), 'SIGKILL');
      ended += 1;
    } catch {
      // It has ended in the meantime.
    }
  }
  return ended;
}

export function usesFolder(folder: string, [program = '', ...options]: string[]): boolean {
  if (options.some((option) => option.startsWith(`--user-data-dir=${folder}${sep}`))) return true;
  return /^ff(mpeg|probe)/.test(basename(program)) && options.some((option) => option.startsWith(`${folder}${sep}`));
}

function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name is in parentheses and may contain anything; the start time is the 20th field after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

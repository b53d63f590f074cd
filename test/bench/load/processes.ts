import fs from 'node:fs';
import { execFileSync } from 'node:child_process';

const TICK_US = 1e6 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Pids by name. For Postgres it is the postmaster's, and its backends are included. */
export type Pids = Record<string, number>;

/** Fields of /proc/<pid>/stat from the third on. The second one, the name, may contain spaces. */
function stat(pid: number | string) {
  const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** The process and its current children. */
function family(pid: number): string[] {
  const tasks = fs.readdirSync(`/proc/${pid}/task`);
  const children = tasks.flatMap((task) => fs.readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean));
  return [String(pid), ...children];
}

/** CPU time in microseconds since each process started, including its children that have ended. */
export function cpuOf(pids: Pids): Record<string, number> {
  return each(pids, (pid) => {
    const ticks = stat(pid).slice(11, 15).map(Number);
    return ticks.reduce((sum, value) => sum + value, 0) * TICK_US;
  });
}

/** CPU time in microseconds of this process, without its children. */
export function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** CPU time in microseconds of the children of this process that have ended. */
export function cpuOfEndedChildren(): number {
  const [user, system] = stat('self').slice(13, 15).map(Number);
  return (user + system) * TICK_US;
}

/** Resident memory in bytes. Postgres's shared memory is counted once. */
export function memoryOf(pids: Pids): Record<string, number> {
  return each(pids, (pid) => {
    const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
    const kib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
    return kib('RssAnon') * 1024 + kib('RssFile') * 1024;
  });
}

function each(pids: Pids, measure: (pid: string) => number) {
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => {
      const values = family(pid).map((it) => {
        try {
          return measure(it);
        } catch {
          // The backend has just ended: its time is included in the postmaster's.
          return 0;
        }
      });
      return [name, values.reduce((sum, value) => sum + value, 0)];
    }),
  );
}

export const difference = (before: Record<string, number>, after: Record<string, number>) =>
  Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]));

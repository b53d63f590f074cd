import fs from 'node:fs';
import { execFileSync } from 'node:child_process';

const TICK_US = 1e6 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** by name; Postgres's is the postmaster's, whose backends count with it */
export type Pids = Record<string, number>;

/** Fields of /proc/<pid>/stat from the third on: the second, the name, may hold spaces. */
function stat(pid: number | string) {
  const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** The process and its present children. */
function family(pid: number): string[] {
  const tasks = fs.readdirSync(`/proc/${pid}/task`);
  const children = tasks.flatMap((task) => fs.readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean));
  return [String(pid), ...children];
}

/** CPU microseconds since each began, what its ended children took included. */
export function cpuOf(pids: Pids): Record<string, number> {
  return each(pids, (pid) => {
    const ticks = stat(pid).slice(11, 15).map(Number);
    return ticks.reduce((sum, value) => sum + value, 0) * TICK_US;
  });
}

/** Resident bytes. Postgres's shared memory counts once. */
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
          // A backend that ended just now: the postmaster's account has it.
          return 0;
        }
      });
      return [name, values.reduce((sum, value) => sum + value, 0)];
    }),
  );
}

export const difference = (before: Record<string, number>, after: Record<string, number>) =>
  Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]));

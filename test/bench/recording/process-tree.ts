import fs from 'node:fs';
import { execFileSync } from 'node:child_process';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

function childrenOf(pid: string): string[] {
  try {
    const tasks = fs.readdirSync(`/proc/${pid}/task`);
    return tasks.flatMap((task) => fs.readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean));
  } catch {
    return [];
  }
}

/** CPU seconds of the process itself so far. */
function secondsOf(pid: string) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    return (user + system) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

function kindOf(pid: string) {
  try {
    const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    if (/^\S*ff(mpeg|probe)/.test(command)) return 'ffmpeg';
    return command.includes('chrom') ? `chromium ${/--type=([a-z-]+)/.exec(command)?.[1] ?? 'browser'}` : 'node';
  } catch {
    return 'ended';
  }
}

const EVERY_MS = 200;

/** Measures the CPU of a process and all its descendants, including those that end in the meantime: up to 200 ms of each may be missed. */
export class ProcessTreeSampler {
  private readonly pid: string;
  private readonly seen = new Map<string, { first: number; last: number; kind: string }>();
  private readonly timer: NodeJS.Timeout;

  constructor(pid: number) {
    this.pid = String(pid);
    this.sample(true);
    this.timer = setInterval(() => this.sample(false), EVERY_MS);
  }

  /** CPU seconds since the start of the measurement, by kind of process. */
  end(): Record<string, number> {
    clearInterval(this.timer);
    this.sample(false);
    const sums: Record<string, number> = {};
    for (const { first, last, kind } of this.seen.values()) sums[kind] = (sums[kind] ?? 0) + last - first;
    return sums;
  }

  private sample(isFirst: boolean): void {
    const pids = [this.pid];
    for (let pid = pids.pop(); pid; pid = pids.pop()) {
      pids.push(...childrenOf(pid));
      const seconds = secondsOf(pid);
      if (seconds === undefined) continue;
      const known = this.seen.get(pid);
      if (!known) this.seen.set(pid, { first: isFirst ? seconds : 0, last: seconds, kind: kindOf(pid) });
      else {
        known.last = seconds;
        // Between fork and exec a process still has its parent's name.
        if (known.kind === 'node' && pid !== this.pid) known.kind = kindOf(pid);
      }
    }
  }
}

export const total = (sums: Record<string, number>) => Object.values(sums).reduce((sum, value) => sum + value, 0);

/** The number of busy cores of the machine, averaged from one call to the next. */
export function watchMachine() {
  const read = () => fs.readFileSync('/proc/stat', 'utf8').split('\n')[0].trim().split(/\s+/).slice(1, 9).map(Number);
  const cores = fs.readFileSync('/proc/stat', 'utf8').match(/^cpu\d/gm)?.length ?? 1;
  let before = read();
  return () => {
    const now = read();
    const passed = now.map((value, i) => value - before[i]);
    before = now;
    const all = passed.reduce((sum, value) => sum + value, 0);
    return cores * (1 - (passed[3] + passed[4]) / Math.max(1, all));
  };
}

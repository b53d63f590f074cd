'use strict';

const fs = require('node:fs');
const { execFileSync } = require('node:child_process');

const TICKS_A_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** @param {string} pid @returns {string[]} */
function childrenOf(pid) {
  try {
    const tasks = fs.readdirSync(`/proc/${pid}/task`);
    return tasks.flatMap((task) => fs.readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean));
  } catch {
    return [];
  }
}

/** CPU seconds that the process itself took so far. @param {string} pid */
function secondsOf(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ').slice(11, 13).map(Number);
    return (user + system) / TICKS_A_SECOND;
  } catch {
    return undefined;
  }
}

/** @param {string} pid */
function kindOf(pid) {
  try {
    const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    if (/^\S*ff(mpeg|probe)/.test(command)) return 'ffmpeg';
    return command.includes('chrom') ? `chromium ${/--type=([a-z-]+)/.exec(command)?.[1] ?? 'browser'}` : 'node';
  } catch {
    return 'ended';
  }
}

const EVERY_MS = 200;

/** Counts what a process and all that come of it take, also those that end meanwhile: up to 200 ms of each may be missed. */
class TreeWatch {
  /** @param {number} pid */
  constructor(pid) {
    this.pid = String(pid);
    /** @type {Map<string, { first: number, last: number, kind: string }>} */
    this.seen = new Map();
    this.look(true);
    this.timer = setInterval(() => this.look(false), EVERY_MS);
  }

  /** CPU seconds since the watch began, by kind of process. @returns {Record<string, number>} */
  end() {
    clearInterval(this.timer);
    this.look(false);
    /** @type {Record<string, number>} */
    const sums = {};
    for (const { first, last, kind } of this.seen.values()) sums[kind] = (sums[kind] ?? 0) + last - first;
    return sums;
  }

  /** @param {boolean} isFirst */
  look(isFirst) {
    for (const pids = [this.pid]; pids.length > 0;) {
      const pid = /** @type {string} */ (pids.pop());
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

const total = (/** @type {Record<string, number>} */ sums) => Object.values(sums).reduce((sum, value) => sum + value, 0);

/** How many cores of the machine are at work, from each call to the next. */
function watchMachine() {
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

module.exports = { TreeWatch, total, watchMachine };

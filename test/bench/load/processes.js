'use strict';

const fs = require('node:fs');
const { execFileSync } = require('node:child_process');

const TICK_US = 1e6 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** @typedef {Record<string, number>} Pids by name; Postgres's is the postmaster's, whose backends count with it */

/** Fields of /proc/<pid>/stat from the third on: the second, the name, may hold spaces. @param {number | string} pid */
function stat(pid) {
  const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** The process and its present children. @param {number} pid @returns {string[]} */
function family(pid) {
  const tasks = fs.readdirSync(`/proc/${pid}/task`);
  const children = tasks.flatMap((task) => fs.readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean));
  return [String(pid), ...children];
}

/** CPU microseconds since each began, what its ended children took included. @param {Pids} pids @returns {Record<string, number>} */
function cpuOf(pids) {
  return each(pids, (pid) => {
    const ticks = stat(pid).slice(11, 15).map(Number);
    return ticks.reduce((sum, value) => sum + value, 0) * TICK_US;
  });
}

/** Resident bytes. Postgres's shared memory counts once. @param {Pids} pids @returns {Record<string, number>} */
function memoryOf(pids) {
  return each(pids, (pid) => {
    const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
    const kib = (/** @type {string} */ name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
    return kib('RssAnon') * 1024 + kib('RssFile') * 1024;
  });
}

/** @param {Pids} pids @param {(pid: string) => number} measure */
function each(pids, measure) {
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => {
    const values = family(pid).map((it) => {
      try {
        return measure(it);
      } catch {
        // A backend that ended just now: the postmaster's account has it.
        return 0;
      }
    });
    return [name, values.reduce((sum, value) => sum + value, 0)];
  }));
}

/** @param {Record<string, number>} before @param {Record<string, number>} after */
const difference = (before, after) =>
  Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]));

module.exports = { cpuOf, memoryOf, difference };

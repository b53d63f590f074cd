'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { execFileSync } = require('node:child_process');
const { setTimeout: sleep } = require('node:timers/promises');

/**
 * A pid alone names nobody for long: after a crash the number may belong to a stranger. With the start time (and, on
 * Linux, the boot, since start times count from it) it names one process for ever.
 * @param {number} pid @returns {string | undefined} nothing when no such process runs (a zombie doesn't)
 */
function identify(pid) {
  try {
    if (process.platform === 'linux') {
      const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The second field is the name in parentheses and may hold spaces: count from the last parenthesis.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
      return `${fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`;
    }
    const line = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return !line || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
  } catch {
    return undefined;
  }
}

/** @typedef {{ name: string, pid: number, identity: string, owner: string, order: number, signal: NodeJS.Signals }} PidRecord */

/** @param {{ pid: number, identity: string }} record */
function isAlive(record) {
  const now = identify(record.pid);
  return now !== undefined && now === record.identity;
}

/** This process as the owner of what it starts. */
function ownerId() {
  return `${process.pid}@${identify(process.pid)}`;
}

/** @param {string} home */
const runDir = (home) => path.join(home, 'run');

/** More than any record takes: to overwrite a file of this size needs no space, so it works on a full disk. */
const RECORD_BYTES = 512;

/** @param {string} home @param {PidRecord} record */
function writePid(home, record) {
  overwrite(home, record.name, JSON.stringify(record));
}

/** Takes the space of a record before there is a process that could not be noted. @param {string} home @param {string} name @throws when the disk is full */
function reservePid(home, name) {
  overwrite(home, name, '');
}

/** @param {string} home @param {string} name @param {string} text */
function overwrite(home, name, text) {
  fs.mkdirSync(runDir(home), { recursive: true });
  const file = fs.openSync(path.join(runDir(home), `${name}.pid`), fs.constants.O_RDWR | fs.constants.O_CREAT, 0o644);
  try {
    fs.writeSync(file, text.padEnd(RECORD_BYTES), 0);
  } finally {
    fs.closeSync(file);
  }
}

/** Removes the file only while it still speaks of this process: a successor may have written its own. @param {string} home @param {PidRecord} record */
function removePid(home, record) {
  const file = path.join(runDir(home), `${record.name}.pid`);
  const now = readPid(file);
  if (now && now.pid === record.pid && now.identity === record.identity) fs.rmSync(file, { force: true });
}

/** @param {string} file @returns {PidRecord | undefined} */
function readPid(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {string} home @returns {PidRecord[]} */
function listPids(home) {
  if (!fs.existsSync(runDir(home))) return [];
  return fs.readdirSync(runDir(home)).filter((name) => name.endsWith('.pid') && name !== 'launcher.pid')
    .flatMap((name) => readPid(path.join(runDir(home), name)) ?? []);
}

/** @param {number} pid @param {NodeJS.Signals} signal */
function signalQuietly(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch { /* gone already */ }
}

/** Every process of ours leads a group of its own, so this also ends what it started. @param {number} pid */
function killGroup(pid) {
  signalQuietly(-pid, 'SIGKILL');
  signalQuietly(pid, 'SIGKILL');
}

/**
 * Ends the processes a dead launcher left behind: apps before the parts they use, politely first.
 * @param {string} home
 * @param {{ owner?: string, graceMs?: number }} [options] `owner`: only what this launcher started
 * @returns {Promise<string[]>} the names of those that still ran
 */
async function endLeftOvers(home, { owner, graceMs = 4000 } = {}) {
  const records = listPids(home).filter((record) => owner === undefined || record.owner === owner);
  const left = records.filter(isAlive);
  for (const order of [...new Set(left.map((record) => record.order))].sort((a, b) => b - a)) {
    const batch = left.filter((record) => record.order === order);
    for (const record of batch) signalQuietly(record.pid, record.signal);
    const until = Date.now() + graceMs;
    while (batch.some(isAlive) && Date.now() < until) await sleep(25);
    for (const record of batch) if (isAlive(record)) killGroup(record.pid);
    while (batch.some(isAlive)) await sleep(25);
    // What they started may have outlived them.
    for (const record of batch) signalQuietly(-record.pid, 'SIGKILL');
  }
  for (const record of records) removePid(home, record);
  return left.map((record) => record.name);
}

module.exports = { identify, isAlive, ownerId, runDir, readPid, reservePid, writePid, removePid, listPids, signalQuietly, killGroup, endLeftOvers };

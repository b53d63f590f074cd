'use strict';

const path = require('node:path');
const { execFile } = require('node:child_process');
const { promisify } = require('node:util');

const SCRIPT = path.join(__dirname, 'wrk.lua');

/**
 * @typedef {object} Outcome of one load
 * @property {number} requests @property {number} seconds
 * @property {number} p50 milliseconds @property {number} p99 milliseconds
 * @property {number} refused answers of 400 and above @property {number} broken sockets and time-outs
 */

/** @throws {Error} where wrk is not installed */
async function requireWrk() {
  try {
    await promisify(execFile)('wrk', ['--version']);
  } catch (error) {
    // Its version comes with an exit code of 1.
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') throw new Error('wrk is not installed: apt-get install wrk');
  }
}

/**
 * Loads `url` by one thread. autocannon would take 4.5 times the CPU from what is measured.
 * @param {{ url: string, seconds: number, connections: number, args: Array<string | number>, signal?: AbortSignal }} load
 *   `seconds`: whole ones; `args`: those of wrk.lua
 * @returns {Promise<Outcome>}
 */
async function wrk({ url, seconds, connections, args, signal }) {
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', SCRIPT, url, '--'];
  const { stdout } = await promisify(execFile)('wrk', [...options, ...args.map(String)], { signal });
  const line = stdout.split('\n').find((it) => it.startsWith('{'));
  if (!line) throw new Error(`wrk told no outcome: ${stdout}`);
  return JSON.parse(line);
}

module.exports = { requireWrk, wrk };

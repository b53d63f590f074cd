'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { Interrupted, StackError } = require('./errors');
const { identify, killGroup, ownerId, removePid, writePid } = require('./pidfile');
const { tail } = require('./logs');

/**
 * Runs a command to its end, its output in a log.
 * @param {string} file @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, logFile: string, home?: string, what: string, signal?: AbortSignal, input?: string, uid?: number, gid?: number, timeoutMs?: number }} options
 *   `what`: how the failure is named, such as `pnpm install`; `home`: where its pid is noted, so that a compiler does not
 *   go on for minutes after its launcher was killed
 */
async function run(file, args, { cwd, env = process.env, logFile, home, what, signal, input, uid, gid, timeoutMs = 15 * 60_000 }) {
  if (signal?.aborted) throw new Interrupted();
  fs.mkdirSync(path.dirname(logFile), { recursive: true });
  const log = fs.openSync(logFile, 'a');
  const from = fs.fstatSync(log).size;
  // detached: a group of its own, so that an interrupt reaches what the command itself started (compilers).
  const child = spawn(file, args, { cwd, env, uid, gid, detached: true, stdio: [input === undefined ? 'ignore' : 'pipe', log, log] });
  fs.closeSync(log);
  const record = home && child.pid
    ? { name: `tool-${child.pid}`, pid: child.pid, identity: identify(child.pid) ?? '', owner: ownerId(), order: 0, signal: /** @type {const} */ ('SIGTERM') }
    : undefined;
  if (home && record) writePid(home, record);
  let isTooLate = false;
  const end = () => { if (child.pid) killGroup(child.pid); };
  const timer = setTimeout(() => { isTooLate = true; end(); }, timeoutMs);
  signal?.addEventListener('abort', end, { once: true });
  process.once('exit', end);
  try {
    const outcome = await new Promise((resolve) => {
      child.once('error', (error) => resolve(error));
      child.once('exit', (code, killedBy) => resolve(killedBy ?? code));
      if (input !== undefined) { child.stdin?.on('error', () => {}); child.stdin?.end(input); }
    });
    if (signal?.aborted) throw new Interrupted();
    if (outcome === 0) return;
    if (/** @type {any} */ (outcome)?.code === 'ENOENT') throw new StackError(`${file} is not installed and ${what} needs it: install it and try again.`, { code: 'command' });
    const why = isTooLate ? `took longer than ${timeoutMs / 1000} s` : outcome instanceof Error ? outcome.message : `ended with ${outcome}`;
    throw new StackError(`${what} ${why}; see ${logFile}.`, { details: tail(logFile, from, 8), code: 'command' });
  } finally {
    if (home && record) removePid(home, record);
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
    process.removeListener('exit', end);
  }
}

/**
 * A short question to a program.
 * @param {string} file @param {string[]} args @param {{ env?: NodeJS.ProcessEnv, timeoutMs?: number }} [options]
 * @returns {Promise<string | undefined>} what it printed; nothing when it failed or isn't there
 */
function ask(file, args, { env = process.env, timeoutMs = 10_000 } = {}) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    // Not spawn's own: that one runs on where the program isn't there.
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    let text = '';
    child.stdout.on('data', (chunk) => { text += chunk; });
    child.stderr.on('data', (chunk) => { text += chunk; });
    const done = (/** @type {string | undefined} */ answer) => { clearTimeout(timer); resolve(answer); };
    child.once('error', () => done(undefined));
    child.once('close', (code) => done(code === 0 ? text.trim() : undefined));
  });
}

module.exports = { run, ask };

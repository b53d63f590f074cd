'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { setTimeout: sleep } = require('node:timers/promises');
const { Interrupted, StackError } = require('./errors');
const { identify, reservePid, writePid, removePid, signalQuietly, killGroup } = require('./pidfile');
const { rotate, tail } = require('./logs');

/** The order of going: apps let go of the parts they use first. */
const ORDER = { app: 3, media: 2, part: 1 };

/**
 * @typedef {{ file: string, args: string[], env: Record<string, string>, cwd?: string, uid?: number, gid?: number }} Command
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null, error?: Error }} Exit
 * @typedef {object} ProcessSpec
 * @property {string} name
 * @property {number} order one of ORDER
 * @property {(extraEnv: Record<string, string>) => Command} command
 * @property {() => Promise<boolean>} check true once it serves; asked every 40 ms
 * @property {NodeJS.Signals} [stopSignal] default SIGTERM
 * @property {number} [repeatAfterMs] send the signal a second time (LiveKit's first waits for every participant to leave)
 * @property {number} [graceMs] then SIGKILL; default 10 s
 * @property {number} [readyMs] default 60 s
 * @property {import('./held-socket').HeldSocket} [socket] its file descriptor 3, held over its crashes
 * @property {RegExp} [retryOn] a log line at an early end after which starting again is right
 */

/** One process of the stack: started, watched until ready, stopped, killed, started again under the same name and log. */
class ManagedProcess {
  /** @param {ProcessSpec} spec @param {{ home: string, owner: string, signal?: AbortSignal }} stack `signal` ends the waiting in ready() */
  constructor(spec, stack) {
    this.spec = spec;
    this.name = spec.name;
    this.stack = stack;
    this.logFile = path.join(stack.home, 'logs', `${spec.name}.log`);
    /** @type {number | undefined} */
    this.pid = undefined;
    /** Settles when the present run ends; before the first start it is settled. @type {Promise<Exit>} */
    this.exited = Promise.resolve({ code: null, signal: null });
    this.isRunning = false;
    /** True while an end is what we asked for: the supervisor looks here. */
    this.isExpectedToEnd = true;
    /** @type {Array<(exit: Exit) => void>} */
    this.unexpectedExitListeners = [];
    this.logStart = 0;
    rotate(this.logFile);
  }

  /**
   * Starts without waiting to be ready, for a process that is meant to die while it boots.
   * @param {Record<string, string>} [extraEnv] this run only
   * @throws where nothing could be started; then nothing runs and the handle is as it was
   */
  launch(extraEnv = {}) {
    if (this.isRunning) throw new StackError(`${this.name} runs already (pid ${this.pid}).`);
    const { child, logStart, record } = this.spawn(this.spec.command(extraEnv));
    this.logStart = logStart;
    this.pid = child.pid;
    this.isRunning = true;
    this.isExpectedToEnd = false;
    this.exited = new Promise((resolve) => {
      /** @param {Exit} exit */
      const ended = (exit) => {
        if (!this.isRunning) return;
        this.isRunning = false;
        if (record) {
          // What it started itself (ffmpeg, a browser) must not outlive it.
          signalQuietly(-record.pid, 'SIGKILL');
          // After a crash the file stays for the next run, which may come while the disk is full.
          if (this.isExpectedToEnd) removePid(this.stack.home, record);
        }
        if (!this.isExpectedToEnd) for (const listener of this.unexpectedExitListeners) listener(exit);
        resolve(exit);
      };
      child.once('exit', (code, signal) => ended({ code, signal }));
      child.once('error', (error) => { if (child.pid === undefined) ended({ code: null, signal: null, error }); });
    });
  }

  /**
   * A process that is noted in its pid file; `record` and `child.pid` are undefined where there is no such program.
   * @param {Command} command @throws on a full disk, before a process exists or after it was killed
   */
  spawn({ file, args, env, cwd, uid, gid }) {
    const { socket } = this.spec;
    reservePid(this.stack.home, this.name);
    const log = fs.openSync(this.logFile, 'a');
    try {
      const logStart = fs.fstatSync(log).size;
      // A group of its own: Ctrl-C in a terminal must reach the launcher alone, which then stops in order.
      const child = spawn(file, args, { env, cwd, uid, gid, detached: true, stdio: ['ignore', log, log, ...(socket ? [socket.open()] : [])] });
      // A test process that forgot us may end; the watchdog then ends what we started.
      child.unref();
      const record = child.pid === undefined ? undefined : {
        name: this.name, pid: child.pid, identity: identify(child.pid) ?? '', owner: this.stack.owner,
        order: this.spec.order, signal: this.spec.stopSignal ?? /** @type {const} */ ('SIGTERM'),
      };
      if (record) {
        try {
          writePid(this.stack.home, record);
        } catch (error) {
          // Unknown to the watchdog it could outlive us.
          killGroup(record.pid);
          throw error;
        }
      }
      return { child, logStart, record };
    } finally {
      fs.closeSync(log);
    }
  }

  /**
   * Starts and waits until it serves.
   * @param {Record<string, string>} [extraEnv] variables of this run only
   * @throws {StackError} when it ends before it is ready, or isn't ready in time (it is killed then)
   */
  async start(extraEnv = {}) {
    for (let attempt = 1; ; attempt += 1) {
      this.launch(extraEnv);
      try {
        await this.ready();
        return;
      } catch (error) {
        const isPassing = this.spec.retryOn && attempt < 25 && this.lastLines(20).some((line) => this.spec.retryOn?.test(line));
        if (!isPassing) throw error;
        await sleep(200);
      }
    }
  }

  /** Waits until the running process serves. */
  async ready() {
    const { readyMs = 60_000 } = this.spec;
    /** @type {Exit | undefined} */
    let exit;
    void this.exited.then((it) => { exit = it; });
    const until = Date.now() + readyMs;
    for (;;) {
      await sleep(0);
      if (this.stack.signal?.aborted) throw new Interrupted();
      if (exit || !this.isRunning) throw this.diedEarly(exit);
      if (await this.spec.check().catch(() => false)) return;
      if (Date.now() > until) {
        await this.kill();
        throw new StackError(`${this.name} was not ready after ${readyMs / 1000} s; see ${this.logFile}.`, { details: this.lastLines() });
      }
      await sleep(40);
    }
  }

  /** @param {Exit} [exit] */
  diedEarly(exit) {
    if (exit?.error) return new StackError(`${this.name} could not be started: ${exit.error.message}.`);
    return new StackError(`${this.name} ended while starting (${describeExit(exit)}); see ${this.logFile}.`, { details: this.lastLines() });
  }

  /** @param {number} [lines] @returns {string[]} of this run only */
  lastLines(lines = 5) {
    return tail(this.logFile, this.logStart, lines);
  }

  /** Asks it to end, waits, and kills it after its grace. @param {NodeJS.Signals} [signal] @returns {Promise<Exit>} */
  async stop(signal = this.spec.stopSignal ?? 'SIGTERM') {
    this.spec.socket?.close();
    if (!this.isRunning || this.pid === undefined) return this.exited;
    const { graceMs = 10_000, repeatAfterMs } = this.spec;
    this.isExpectedToEnd = true;
    const pid = this.pid;
    signalQuietly(pid, signal);
    const timers = [setTimeout(() => { if (this.isRunning) killGroup(pid); }, graceMs)];
    if (repeatAfterMs) timers.push(setTimeout(() => { if (this.isRunning) signalQuietly(pid, signal); }, repeatAfterMs));
    const exit = await this.exited;
    for (const timer of timers) clearTimeout(timer);
    return exit;
  }

  /** SIGKILL, as a crash would; waits until it is gone. @returns {Promise<Exit>} */
  async kill() {
    if (!this.isRunning || this.pid === undefined) return this.exited;
    this.isExpectedToEnd = true;
    const keepAlive = setInterval(() => {}, 1000);
    killGroup(this.pid);
    const exit = await this.exited;
    clearInterval(keepAlive);
    return exit;
  }

  /** @param {Record<string, string>} [extraEnv] */
  async restart(extraEnv = {}) {
    await this.stop();
    await this.start(extraEnv);
  }
}

/** @param {Exit} [exit] */
function describeExit(exit) {
  if (exit?.signal) return `killed by ${exit.signal}`;
  return `exit code ${exit?.code ?? 'unknown'}`;
}

module.exports = { ManagedProcess, ORDER, describeExit };

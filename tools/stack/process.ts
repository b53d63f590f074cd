import fs from 'node:fs';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Interrupted, StackError } from './errors.ts';
import { identify, reservePid, writePid, removePid, signalQuietly, killGroup, type PidRecord } from './pidfile.ts';
import { rotate, tail } from './logs.ts';
import type { HeldSocket } from './held-socket.ts';

/** What a process knows of its stack; `signal` ends the waiting in ready(). */
export interface Surroundings {
  readonly home: string;
  readonly owner: string;
  readonly signal?: AbortSignal | undefined;
}

/** What a stack's user does with a process, be it ours or elsewhere. */
export interface Handle {
  readonly name: string;
  readonly pid: number | undefined;
  readonly logFile: string | undefined;
  readonly exited: Promise<Exit>;
  ready(): Promise<void>;
  start(extraEnv?: Record<string, string>): Promise<void>;
  stop(): Promise<Exit>;
  kill(): Promise<Exit>;
  restart(extraEnv?: Record<string, string>): Promise<void>;
}

/** The order of going: apps let go of the parts they use first. */
export const ORDER = { app: 3, media: 2, part: 1 };

export interface Command {
  file: string;
  args: string[];
  env: Record<string, string>;
  cwd?: string;
  uid?: number;
  gid?: number;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  error?: Error;
}

export interface ProcessSpec {
  name: string;
  /** one of ORDER */
  order: number;
  command: (extraEnv: Record<string, string>) => Command;
  /** true once it serves; asked every 40 ms */
  check: () => Promise<boolean>;
  /** default SIGTERM */
  stopSignal?: NodeJS.Signals;
  /** send the signal a second time (LiveKit's first waits for every participant to leave) */
  repeatAfterMs?: number;
  /** then SIGKILL; default 10 s */
  graceMs?: number;
  /** default 60 s */
  readyMs?: number;
  /** its file descriptor 3, held over its crashes */
  socket?: HeldSocket;
  /** a log line at an early end after which starting again is right */
  retryOn?: RegExp;
}

/** One process of the stack: started, watched until ready, stopped, killed, started again under the same name and log. */
export class ManagedProcess implements Handle {
  readonly spec: ProcessSpec;
  readonly name: string;
  readonly stack: Surroundings;
  readonly logFile: string;
  pid: number | undefined;
  /** Settles when the present run ends; before the first start it is settled. */
  exited: Promise<Exit> = Promise.resolve({ code: null, signal: null });
  isRunning = false;
  /** True while an end is what we asked for: the supervisor looks here. */
  isExpectedToEnd = true;
  readonly unexpectedExitListeners: ((exit: Exit) => void)[] = [];
  private logStart = 0;

  constructor(spec: ProcessSpec, stack: Surroundings) {
    this.spec = spec;
    this.name = spec.name;
    this.stack = stack;
    this.logFile = path.join(stack.home, 'logs', `${spec.name}.log`);
    rotate(this.logFile);
  }

  /**
   * Starts without waiting to be ready, for a process that is meant to die while it boots.
   * @param extraEnv this run only
   * @throws where nothing could be started; then nothing runs and the handle is as it was
   */
  launch(extraEnv: Record<string, string> = {}): void {
    if (this.isRunning) throw new StackError(`${this.name} runs already (pid ${this.pid}).`);
    const { child, logStart, record } = this.spawn(this.spec.command(extraEnv));
    this.logStart = logStart;
    this.pid = child.pid;
    this.isRunning = true;
    this.isExpectedToEnd = false;
    this.exited = new Promise((resolve) => {
      const ended = (exit: Exit) => {
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
      child.once('error', (error) => {
        if (child.pid === undefined) ended({ code: null, signal: null, error });
      });
    });
  }

  /**
   * A process that is noted in its pid file; `record` and `child.pid` are undefined where there is no such program.
   * @throws on a full disk, before a process exists or after it was killed
   */
  private spawn({ file, args, env, cwd, uid, gid }: Command) {
    const { socket } = this.spec;
    reservePid(this.stack.home, this.name);
    const log = fs.openSync(this.logFile, 'a');
    try {
      const logStart = fs.fstatSync(log).size;
      // A group of its own: Ctrl-C in a terminal must reach the launcher alone, which then stops in order.
      const child = spawn(file, args, {
        env,
        cwd,
        uid,
        gid,
        detached: true,
        stdio: ['ignore', log, log, ...(socket ? [socket.open()] : [])],
      });
      // A test process that forgot us may end; the watchdog then ends what we started.
      child.unref();
      const record: PidRecord | undefined =
        child.pid === undefined
          ? undefined
          : {
              name: this.name,
              pid: child.pid,
              identity: identify(child.pid) ?? '',
              owner: this.stack.owner,
              order: this.spec.order,
              signal: this.spec.stopSignal ?? 'SIGTERM',
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
   * @param extraEnv variables of this run only
   * @throws {StackError} when it ends before it is ready, or isn't ready in time (it is killed then)
   */
  async start(extraEnv: Record<string, string> = {}): Promise<void> {
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
  async ready(): Promise<void> {
    const { readyMs = 60_000 } = this.spec;
    let exit: Exit | undefined;
    void this.exited.then((it) => {
      exit = it;
    });
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

  private diedEarly(exit?: Exit): StackError {
    if (exit?.error) return new StackError(`${this.name} could not be started: ${exit.error.message}.`);
    return new StackError(`${this.name} ended while starting (${describeExit(exit)}); see ${this.logFile}.`, { details: this.lastLines() });
  }

  /** @returns of this run only */
  lastLines(lines = 5): string[] {
    return tail(this.logFile, this.logStart, lines);
  }

  /** Asks it to end, waits, and kills it after its grace. */
  async stop(signal: NodeJS.Signals = this.spec.stopSignal ?? 'SIGTERM'): Promise<Exit> {
    this.spec.socket?.close();
    if (!this.isRunning || this.pid === undefined) return this.exited;
    const { graceMs = 10_000, repeatAfterMs } = this.spec;
    this.isExpectedToEnd = true;
    const pid = this.pid;
    signalQuietly(pid, signal);
    const timers = [
      setTimeout(() => {
        if (this.isRunning) killGroup(pid);
      }, graceMs),
    ];
    if (repeatAfterMs)
      timers.push(
        setTimeout(() => {
          if (this.isRunning) signalQuietly(pid, signal);
        }, repeatAfterMs),
      );
    const exit = await this.exited;
    for (const timer of timers) clearTimeout(timer);
    return exit;
  }

  /** SIGKILL, as a crash would; waits until it is gone. */
  async kill(): Promise<Exit> {
    if (!this.isRunning || this.pid === undefined) return this.exited;
    this.isExpectedToEnd = true;
    const keepAlive = setInterval(() => {}, 1000);
    killGroup(this.pid);
    const exit = await this.exited;
    clearInterval(keepAlive);
    return exit;
  }

  async restart(extraEnv: Record<string, string> = {}): Promise<void> {
    await this.stop();
    await this.start(extraEnv);
  }
}

export function describeExit(exit?: Exit): string {
  if (exit?.signal) return `killed by ${exit.signal}`;
  return `exit code ${exit?.code ?? 'unknown'}`;
}

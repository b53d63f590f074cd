import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Interrupted, rotate, StackError, tail } from './context.ts';
import { identify, killGroup, removePid, reservePid, signalQuietly, writePid } from './pidfile.ts';

/** The stack of a process. Aborting `signal` makes ready() throw. */
export interface ProcessOwner {
  readonly home: string;
  readonly owner: string;
  readonly signal?: AbortSignal | undefined;
}

/** The stop order, highest first: apps stop before the parts that they use. */
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
  /** whether the process serves; polled every 40 ms */
  check: () => Promise<boolean>;
  /** default SIGTERM */
  stopSignal?: NodeJS.Signals;
  /** sends the signal again after this time (on the first, LiveKit waits until all participants have left) */
  repeatAfterMs?: number;
  /** sends SIGKILL after this time; default 10 s */
  graceMs?: number;
  /** default 60 s */
  readyMs?: number;
  /** a log line of a process that ended early after which a retry makes sense */
  retryOn?: RegExp;
}

/** One process of the stack: it can be started, awaited until ready, stopped, killed, and restarted with the same name and log. */
export class ManagedProcess {
  readonly spec: ProcessSpec;
  readonly name: string;
  readonly stack: ProcessOwner;
  readonly logFile: string;
  pid: number | undefined;
  /** Resolves when the current run ends. Before the first start it is resolved. */
  exited: Promise<Exit> = Promise.resolve({ code: null, signal: null });
  isRunning = false;
  /** Whether this stack has asked the process to end. If not, the supervisor restarts it. */
  isExpectedToEnd = true;
  readonly unexpectedExitListeners: ((exit: Exit) => void)[] = [];
  private logStart = 0;

  constructor(spec: ProcessSpec, stack: ProcessOwner) {
    this.spec = spec;
    this.name = spec.name;
    this.stack = stack;
    this.logFile = path.join(stack.home, 'logs', `${spec.name}.log`);
    rotate(this.logFile);
  }

  /**
   * Starts without waiting until the process is ready, for a process that is expected to crash at its start.
   * @param extraEnv variables of this run only
   * @throws if it could not be started; then nothing runs, and the handle is unchanged
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
          // Child processes (ffmpeg, a browser) must not outlive it.
          signalQuietly(-record.pid, 'SIGKILL');
          // After a crash the pid file is kept for the next run, which may start while the disk is full.
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
   * Starts a process and records it in its pid file. `record` and `child.pid` are undefined if the program does not exist.
   * @throws if the disk is full: either before a process exists, or after the process was killed
   */
  private spawn({ file, args, env, cwd, uid, gid }: Command) {
    reservePid(this.stack.home, this.name);
    const log = fs.openSync(this.logFile, 'a');
    try {
      const logStart = fs.fstatSync(log).size;
      // In its own process group, so that Ctrl-C in a terminal reaches only the launcher, which then stops everything in order.
      const child = spawn(file, args, {
        env,
        cwd,
        uid,
        gid,
        detached: true,
        stdio: ['ignore', log, log],
      });
      // A test process that did not stop the stack can still exit. The watchdog then ends what it started.
      child.unref();
      if (child.pid === undefined) return { child, logStart, record: undefined };
      const { owner, home } = this.stack;
      const { order, stopSignal: signal = 'SIGTERM' } = this.spec;
      const record = { name: this.name, pid: child.pid, identity: identify(child.pid) ?? '', owner, order, signal };
      try {
        writePid(home, record);
      } catch (error) {
        // Without a record the watchdog does not know the process, and it could outlive us.
        killGroup(record.pid);
        throw error;
      }
      return { child, logStart, record };
    } finally {
      fs.closeSync(log);
    }
  }

  /**
   * Starts the process and waits until it serves.
   * @param extraEnv variables of this run only
   * @throws {StackError} if it ends before it is ready, or is not ready in time (then it is killed)
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

  /** @returns the last log lines of this run */
  lastLines(lines = 5): string[] {
    return tail(this.logFile, this.logStart, lines);
  }

  /** Sends the stop signal, waits, and kills the process after its grace period. */
  async stop(signal: NodeJS.Signals = this.spec.stopSignal ?? 'SIGTERM'): Promise<Exit> {
    if (!this.isRunning || this.pid === undefined) return this.exited;
    const { graceMs = 10_000, repeatAfterMs } = this.spec;
    this.isExpectedToEnd = true;
    const pid = this.pid;
    signalQuietly(pid, signal);
    const after = (ms: number, act: () => void) => setTimeout(() => this.isRunning && act(), ms);
    const timers = [after(graceMs, () => killGroup(pid))];
    if (repeatAfterMs) timers.push(after(repeatAfterMs, () => signalQuietly(pid, signal)));
    const exit = await this.exited;
    for (const timer of timers) clearTimeout(timer);
    return exit;
  }

  /** Kills the process with SIGKILL, like a crash, and waits until it has ended. */
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

interface PartSpec extends Omit<ProcessSpec, 'name' | 'order' | 'command'> {
  /** default ORDER.part */
  order?: number;
  /** Writes the configuration. @returns the command, which gets few of the caller's variables */
  command: () => Command;
}

/** The process of a part. */
export const partProcess = (name: string, { command, ...spec }: PartSpec, stack: ProcessOwner): ManagedProcess =>
  new ManagedProcess(
    {
      name,
      order: ORDER.part,
      ...spec,
      command: (extraEnv) => {
        const { env, ...rest } = command();
        return { ...rest, env: { PATH: process.env.PATH ?? '', TZ: 'UTC', ...env, ...extraEnv } };
      },
    },
    stack,
  );

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually } from '@classroom/testing';
import { EmptyFolder } from '../sdk/empty-folder.js';

// Tests check the documents themselves: typing each would only repeat the contract.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Loose = any;

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** A command that runs until it is interrupted. */
export class Running {
  out = '';
  err = '';
  readonly ended: Promise<Ended>;

  constructor(private readonly child: ChildProcessWithoutNullStreams) {
    child.stdout.setEncoding('utf8').on('data', (text: string) => (this.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.err += text));
    this.ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out: this.out, err: this.err }));
  }

  /** The lines of JSON so far. */
  get lines(): Record<string, Loose>[] {
    return this.out
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** Waits until a remark was written. */
  says = (remark: string) => eventually(() => expect(this.err).toContain(remark));

  /** Ctrl-C. */
  interrupt(): Promise<Ended> {
    this.child.kill('SIGINT');
    return this.ended;
  }
}

/** A folder where `vc` is installed from its archive, with a home and a configuration of its own. */
export class Terminal {
  private readonly running: Running[] = [];

  private constructor(
    private readonly folder: EmptyFolder,
    private readonly variables: Record<string, string>,
  ) {}

  /** @param variables of every command */
  static async open(variables: Record<string, string> = {}): Promise<Terminal> {
    return new Terminal(await EmptyFolder.with('cli'), variables);
  }

  get path(): string {
    return this.folder.path;
  }

  /** Installs packages that the command line tool uses if they are there. */
  addPeers(...names: string[]): void {
    this.folder.addPeers(...names);
  }

  /** Runs a command to its end. @param input what it reads from standard input */
  async vc(args: string[], { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {}): Promise<Ended> {
    const running = this.start(args, env, input);
    return running.ended;
  }

  /** Runs a command that has to succeed, with `--json`. @returns the document that it prints */
  async json(args: string[], env: Record<string, string> = {}): Promise<Loose> {
    const { code, out, err } = await this.vc([...args, '--json'], { env });
    if (code !== 0) throw new Error(`vc ${args.join(' ')} ended with ${code}: ${err}`);
    return JSON.parse(out);
  }

  start(args: string[], env: Record<string, string> = {}, input = ''): Running {
    const child = spawn(join(this.path, 'node_modules', '.bin', 'vc'), args, {
      cwd: this.path,
      env: { PATH: process.env['PATH'], HOME: this.path, XDG_CONFIG_HOME: join(this.path, 'config'), ...this.variables, ...env },
    });
    child.stdin.end(input);
    const running = new Running(child);
    this.running.push(running);
    return running;
  }

  async close(): Promise<void> {
    await Promise.all(this.running.map((it) => it.interrupt()));
    this.folder.remove();
  }
}

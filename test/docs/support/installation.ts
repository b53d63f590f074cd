import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@classroom/testing';
import { REPO } from '../../deploy/support/programs.js';

const launcher = require('../../../tools/stack') as { pickPorts(): Promise<{ gatewayPort: number; portBase: number; release(): void }> };
const { homeHash, SHARED_ROOT } = require('../../../tools/stack/context') as { homeHash(home: string): string; SHARED_ROOT: string };

const MINUTE = 60_000;

/** The starting point of a new user: an empty folder, and a repository to clone that contains the present files. */
export class Installation {
  /** The pages call this folder /srv/classroom. */
  readonly root = mkdtempSync(join(tmpdir(), 'classroom-docs-'));
  readonly origin = join(this.root, 'origin');
  readonly clone = join(this.root, 'virtual-classroom');
  readonly data = join(this.root, 'data');
  private running: ChildProcess | undefined;
  /** Output of the launcher since its last start. */
  printed = '';

  private constructor(readonly ports: { gatewayPort: number; portBase: number }) {
    // Postgres's user must be able to enter the folder.
    chmodSync(this.root, 0o755);
  }

  static async prepare(): Promise<Installation> {
    const { release, ...ports } = await launcher.pickPorts();
    const installation = new Installation(ports);
    installation.makeOrigin();
    release();
    return installation;
  }

  /** Contains uncommitted files too, because the pages must match the working tree. */
  private makeOrigin(): void {
    const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
      cwd: REPO,
      encoding: 'utf8',
      maxBuffer: 1e8,
    });
    for (const file of files.split('\0').filter(Boolean)) {
      try {
        cpSync(join(REPO, file), join(this.origin, file), { recursive: true, verbatimSymlinks: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=docs', '-c', 'user.email=docs@classroom.example', ...args], { cwd: this.origin });
    git('init', '--quiet', '--initial-branch=main');
    git('add', '--all');
    git('commit', '--quiet', '--message=as it is');
  }

  get gateway(): string {
    return `http://127.0.0.1:${this.ports.gatewayPort}`;
  }

  /** Variables for each start: free ports, and no external parts of the caller. */
  environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    const { gatewayPort, portBase } = this.ports;
    const kept = Object.entries(process.env).filter(([name]) =>
      /^(PATH|HOME|LANG|USER|TERM|STACK_CACHE|(CHROMIUM|FFMPEG|ESPEAK|POCKETSPHINX)_PATH|GO\w*|\w*proxy|\w*PROXY|npm_config_\w+|NPM_CONFIG_\w+|SSL_\w+|NODE_EXTRA_CA_CERTS)$/.test(
        name,
      ),
    );
    return { ...Object.fromEntries(kept), GATEWAY_PORT: String(gatewayPort), STACK_PORT_BASE: String(portBase), ...more };
  }

  /** Runs commands that end with a start, as in a terminal, until it is ready. @throws the output, if it ends before */
  async start(commands: string, cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
    // One that a failed test left.
    await this.interrupt();
    mkdirSync(cwd, { recursive: true });
    this.printed = '';
    const child = spawn('bash', ['-c', commands], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    this.running = child;
    let ended = false;
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (this.printed += text));
    child.once('close', () => (ended = true));
    await eventually(() => {
      if (!ended && !this.printed.includes('Ctrl-C stops everything.')) throw new Error(`not ready: ${this.printed.slice(-3000)}`);
    }, 15 * MINUTE);
    if (ended) throw new Error(`ended before it was ready: ${this.printed.slice(-3000)}`);
  }

  /** Presses Ctrl-C. */
  async interrupt(): Promise<void> {
    const child = this.running;
    this.running = undefined;
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    const closed = new Promise((done) => child.once('close', done));
    process.kill(-child.pid, 'SIGINT');
    await closed;
  }

  remove(): void {
    for (const home of [join(this.clone, '.stack'), join(this.clone, '.stack-sandbox'), this.data])
      rmSync(join(SHARED_ROOT, homeHash(home)), { recursive: true, force: true });
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** The address at which other machines reach this one. @throws if it has none */
export function addressOfMachine(): string {
  const own = Object.values(networkInterfaces())
    .flat()
    .find((it) => it && !it.internal && it.family === 'IPv4');
  if (!own) throw new Error('this machine has no address but loopback');
  return own.address;
}

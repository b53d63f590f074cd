import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { eventually } from '@classroom/testing';

const REPO = join(__dirname, '..', '..', '..');
const GUIDES = join(REPO, 'docs', 'guides', 'quickstarts');
/** The port of the pages' programs. */
const THEIR_PORT = /\b3000\b/g;
const INSTALL = /^(?:npm|pip) install /;

/** The settings of a program, as the page's shell blocks make them from `GATEWAY` and `CREDENTIAL`, its start, and the list of its endpoints. */
interface Commands {
  settings: string;
  start: string;
  cleanUp: string;
}

/** The blocks of a page: one file with its name, and the commands around it. */
function blocksOf(page: string): { file: string; program: string; commands: Commands } {
  const text = readFileSync(join(GUIDES, page), 'utf8');
  const [, file = '', , program = ''] = /^`(school\.\w+)`:\n\n```(\w+)\n([\s\S]*?)^```/m.exec(text) ?? [];
  const shell = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block).filter((block) => !INSTALL.test(block));
  const [settings, start, cleanUp, ...more] = shell;
  if (file === '' || settings === undefined || start === undefined || cleanUp === undefined || more.length > 0)
    throw new Error(`${page} must have one program, and commands for its settings, its start and its endpoints`);
  return { file, program, commands: { settings, start, cleanUp } };
}

/** The commands with which a page installs a package, from the root of the repository. */
export function installationOf(page: string): string {
  const [, block = ''] = /^```sh\n((?:npm|pip) install [^\n]*\n)```/m.exec(readFileSync(join(REPO, page), 'utf8')) ?? [];
  if (block === '') throw new Error(`${page} installs nothing`);
  return block;
}

/** A program of a page, as a reader runs it: copied into a folder, and started by the page's own commands. */
export class Quickstart {
  private output = '';
  private ended = false;

  private constructor(
    private readonly child: ChildProcess,
    /** Host and port at which it listens. */
    readonly host: string,
    /** Lines of code. */
    readonly lines: number,
  ) {
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    child.once('close', () => (this.ended = true));
  }

  /** A port that was free a moment ago, in place of the page's. */
  static async freeHost(): Promise<string> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    return `127.0.0.1:${port}`;
  }

  /** @throws what it printed, if it ends before it answers */
  static async start(page: string, folder: string, host: string, env: NodeJS.ProcessEnv): Promise<Quickstart> {
    const { file, program, commands } = blocksOf(page);
    const here = (text: string) => text.replaceAll(THEIR_PORT, host.split(':')[1] ?? '');
    writeFileSync(join(folder, file), here(program));
    const script = `set -e\n${here(commands.settings)}\necho "secret $WEBHOOK_SECRET lesson $LESSON"\nexec ${here(commands.start)}`;
    const child = spawn('bash', ['-c', script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const running = new Quickstart(child, host, program.trimEnd().split('\n').length);
    await eventually(async () => {
      if (running.ended) return;
      await fetch(`http://${host}/`);
    });
    if (running.ended) throw new Error(`${page}: ${running.output}`);
    return running;
  }

  get secret(): string {
    return /^secret (whsec_\S+)/m.exec(this.output)?.[1] ?? '';
  }
  get lesson(): string {
    return / lesson (\S+)$/m.exec(this.output)?.[1] ?? '';
  }

  request(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`http://${this.host}${path}`, { redirect: 'manual', ...init });
  }

  /** The address of the frame in a person's page. */
  async linkOf(uid: string): Promise<string> {
    const html = await (await this.request(`/lesson/${uid}`)).text();
    const link = /<iframe src="([^"]+)"/.exec(html)?.[1];
    if (link === undefined) throw new Error(`no class in the page of ${uid}: ${html}${this.output}`);
    return link;
  }

  async stop(): Promise<void> {
    if (this.ended) return;
    const closed = new Promise((done) => this.child.once('close', done));
    this.child.kill('SIGKILL');
    await closed;
  }
}

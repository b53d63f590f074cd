import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPO } from '../../deploy/support/programs.js';
import { wholly } from '../not-here.js';

/** A recorded call of a program that is not available here. */
export interface Call {
  program: string;
  args: string[];
  input: string;
}

export interface Outcome {
  stdout: string;
  /** Without the lines that curl's stand-in adds. */
  stderr: string;
  answers: { status: number; url: string }[];
  calls: Call[];
}

const STAND_INS = join(REPO, 'test', 'docs', 'stand-ins');
/** The state that the next block of the page gets: variables, functions and working directory. */
const KEEP = [
  `printf 'cd %q\\n' "$PWD"`,
  `declare -p | grep -E '^declare -[-x]+ [A-Z_a-z]+=' | grep -vE ' (BASH|EPOCH|COMP_|OPT|PWD|OLDPWD|PATH|SHLVL|CALLS|STATE|_|LINENO|RANDOM|SECONDS|PPID)'`,
  'declare -f',
];

const which = (name: string) => execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();

/** A reader's shell: bash, with stand-ins for programs that are not available. */
export class Shell {
  private readonly bin: string;
  private readonly state: string;
  private readonly calls: string;

  /** @param folder for the shell's own files @param cwd the reader's working directory */
  constructor(
    private readonly folder: string,
    private readonly cwd: string,
    private readonly env: NodeJS.ProcessEnv,
  ) {
    this.bin = join(folder, 'bin');
    this.state = join(folder, 'state');
    this.calls = join(folder, 'calls');
    mkdirSync(this.bin, { recursive: true });
    writeFileSync(this.state, `cd '${cwd}'\n`);
    for (const name of readdirSync(STAND_INS).filter((it) => !existsSync(join(this.bin, it)))) {
      copyFileSync(join(STAND_INS, name), join(this.bin, name));
      chmodSync(join(this.bin, name), 0o755);
    }
    for (const name of wholly.filter((it) => !existsSync(join(this.bin, it)))) symlinkSync('note', join(this.bin, name));
  }

  get environment(): NodeJS.ProcessEnv {
    return {
      ...this.env,
      PATH: `${this.bin}:${process.env['PATH']}`,
      CALLS: this.calls,
      STATE: this.state,
      REAL_CURL: which('curl'),
      REAL_NPM: which('npm'),
      PACKAGES: join(REPO, 'libs', 'persistence'),
    };
  }

  /** A new shell with the same starting point and no state. */
  fresh(): Shell {
    return new Shell(this.folder, this.cwd, this.env);
  }

  /** Runs commands after those that ran before. The exit code is ignored, because a grep without matches is no error. */
  async run(commands: string): Promise<Outcome> {
    rmSync(this.calls, { recursive: true, force: true });
    mkdirSync(this.calls);
    const script = `source "$STATE"\n${commands}\n{ ${KEEP.join('; ')}; } > "$STATE.new"; mv "$STATE.new" "$STATE"\n`;
    const child = spawn('bash', ['-c', script], { cwd: this.cwd, env: this.environment, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    await new Promise((done) => child.once('close', done));
    const answers = [...stderr.matchAll(/^HTTP (\d+) (.*)\n/gm)].map(([, status, url = '']) => ({ status: Number(status), url }));
    return { stdout, stderr: stderr.replaceAll(/^HTTP \d+ .*\n/gm, ''), answers, calls: this.readCalls() };
  }

  private readCalls(): Call[] {
    return readdirSync(this.calls).map((name) => {
      const [command = '', input = ''] = readFileSync(join(this.calls, name), 'utf8').split('\u001d');
      const [program = '', ...args] = command.split('\u001f');
      return { program, args, input };
    });
  }
}

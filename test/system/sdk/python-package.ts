import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REPO, run } from '../../deploy/support/programs.js';

interface Obtain {
  obtainPythonSdkPackages(): Promise<{ python: string; folder: string }>;
}
const { obtainPythonSdkPackages } = require('../../../tools/obtain') as Obtain;

/** The Python SDK as it would be published: installed from its wheel, next to the packages that it needs. */
export class PythonPackage {
  private constructor(
    readonly path: string,
    private readonly python: string,
    private readonly packages: string,
  ) {}

  /** Builds the wheel and installs it without a registry. */
  static async installed(): Promise<PythonPackage> {
    const { python, folder } = await obtainPythonSdkPackages();
    const made = new PythonPackage(mkdtempSync(join(tmpdir(), 'classroom-python-')), python, folder);
    await made.run(['-m', 'hatchling', 'build', '-t', 'wheel', '-d', made.path], { cwd: join(REPO, 'libs', 'sdk-python') });
    const [wheel = ''] = readdirSync(made.path);
    const options = ['--quiet', '--disable-pip-version-check', '--no-index', '--no-deps', '--target', 'site'];
    await made.run(['-m', 'pip', 'install', ...options, wheel]);
    return made;
  }

  /** Runs a program. @returns its output @throws if it fails */
  async program(file: string, env: Record<string, string>, input?: string): Promise<string> {
    return this.run([file], { env, ...(input === undefined ? {} : { input }) });
  }

  /** Runs a program with this text. @returns its output @throws if it fails */
  async text(text: string, env: Record<string, string>): Promise<string> {
    writeFileSync(join(this.path, 'program.py'), text);
    return this.program('program.py', env);
  }

  /** @returns what mypy says about a file, with the types of the installed package */
  async typesOf(file: string): Promise<string> {
    return this.run(['-m', 'mypy', '--strict', '--cache-dir', '/dev/null', file], { env: { MYPYPATH: join(this.path, 'site') } });
  }

  /** Variables with which a program finds the package, and what the package needs. */
  get environment(): { PYTHONPATH: string; PYTHONDONTWRITEBYTECODE: string } {
    return { PYTHONPATH: `${join(this.path, 'site')}:${this.packages}`, PYTHONDONTWRITEBYTECODE: '1' };
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  private async run(args: string[], given: { cwd?: string; env?: Record<string, string>; input?: string } = {}): Promise<string> {
    const { cwd = this.path, env = {}, ...input } = given;
    const own = { PATH: process.env['PATH'], ...this.environment };
    const { code, stdout, stderr } = await run(this.python, args, { cwd, env: { ...own, ...env }, ...input });
    if (code !== 0) throw new Error(`python ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
    return stdout;
  }
}

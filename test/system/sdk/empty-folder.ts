import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const REPO = join(__dirname, '..', '..', '..');

/** A new user's starting point: a folder that contains only a package as it would be published, with its dependencies. */
export class EmptyFolder {
  private constructor(
    readonly path: string,
    private readonly library: string,
  ) {}

  /** Packs a built library and installs it without a registry. @param library its folder in `libs` */
  static async with(library: string): Promise<EmptyFolder> {
    const own = join(REPO, 'libs', library);
    const folder = new EmptyFolder(mkdtempSync(join(tmpdir(), `classroom-${library}-`)), own);
    const packages = [...new Set(withDependencies(own))];
    const archives = [
      ...(await folder.packOurs(packages.filter(isOurs))),
      ...(await folder.pack(packages.filter((path) => !isOurs(path)))),
    ];
    await folder.npm('install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', ...archives);
    return folder;
  }

  private async pack(packages: string[]): Promise<string[]> {
    if (packages.length === 0) return [];
    // pnpm may link files of the same content to one, which npm cannot pack.
    const copies = packages.map((path, at) => {
      const copy = join(this.path, '.copies', String(at));
      cpSync(path, copy, { recursive: true });
      return copy;
    });
    const { stdout } = await this.npm('pack', '--json', '--ignore-scripts', ...copies);
    return (JSON.parse(stdout) as { filename: string }[]).map(({ filename }) => `./${filename}`);
  }

  /** With pnpm, which writes the version of a package in place of `workspace:*`. */
  private packOurs(packages: string[]): Promise<string[]> {
    const pnpm = join(REPO, '.toolchain', 'node_modules', '.bin', 'pnpm');
    return Promise.all(
      packages.map(async (cwd) => {
        const { stdout } = await run(pnpm, ['pack', '--json', '--pack-destination', this.path], { cwd });
        return (JSON.parse(stdout) as { filename: string }).filename;
      }),
    );
  }

  /** Adds packages of the library's development that a user installs next to it. Each is a link, from which it finds its own dependencies. */
  addPeers(...names: string[]): void {
    for (const name of names) {
      const link = join(this.path, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(realpathSync(join(this.library, 'node_modules', name)), link);
    }
  }

  /** Runs a file with this text. @returns the output @throws if it fails */
  async node(name: string, text: string, env: Record<string, string>): Promise<string> {
    writeFileSync(join(this.path, name), text);
    return (await run(process.execPath, [name], { cwd: this.path, env: { ...process.env, ...env } })).stdout;
  }

  /**
   * @returns the compiler's errors in a file with this text and in the package's own declarations, not in those of other packages; the only
   * types are those of the installed packages and the platform
   */
  typeErrorsOf(name: string, text: string): Promise<string[]> {
    return this.typeErrorsIn({ [name]: text });
  }

  /** As `typeErrorsOf`, of several files by name, in one run of the compiler. */
  async typeErrorsIn(files: Record<string, string>): Promise<string[]> {
    const names = Object.keys(files);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.path, name), text);
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      'es2022,dom,dom.iterable',
      '--types',
      '',
    ];
    const compiler = join(REPO, 'node_modules', '.bin', 'tsc');
    // The compiler exits with an error if it finds one.
    const found = await run(compiler, [...options, ...names], { cwd: this.path }).catch((failure: { stdout: string }) => failure);
    const isOurs = (line: string) =>
      names.some((name) => line.startsWith(`${name}(`)) || line.startsWith('node_modules/@virtual-classroom/');
    return found.stdout.split('\n').filter(isOurs);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  private npm(...args: string[]): Promise<{ stdout: string }> {
    return run('npm', args, {
      cwd: this.path,
      env: { ...process.env, npm_config_cache: join(this.path, '.npm'), npm_config_update_notifier: 'false' },
    });
  }
}

/** Whether a package is in this repository and not in the store of pnpm. */
const isOurs = (path: string) => !path.includes('node_modules');

/** @returns the folders of the package and of all its dependencies */
function withDependencies(path: string, name = ''): string[] {
  const { dependencies = {} } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as { dependencies?: object };
  // In the store of pnpm a package is next to its dependencies.
  const siblings = isOurs(path) ? join(path, 'node_modules') : join(path, ...name.split('/').map(() => '..'));
  return [
    path,
    ...Object.keys(dependencies).flatMap((dependency) => withDependencies(realpathSync(join(siblings, dependency)), dependency)),
  ];
}

import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const REPO = join(__dirname, '..', '..', '..');
const SDK = join(REPO, 'libs', 'sdk');
const CLI = join(REPO, 'libs', 'cli');

/** A new user's starting point: a folder that contains only a package as it would be published, with its dependencies. */
export class EmptyFolder {
  private constructor(readonly path: string) {}

  /** Packs the built SDK and installs it without a registry. */
  static async withSdk(): Promise<EmptyFolder> {
    const folder = new EmptyFolder(mkdtempSync(join(tmpdir(), 'classroom-sdk-')));
    await folder.install(await folder.packSdk());
    return folder;
  }

  /** Packs the built command line tool and installs it without a registry. */
  static async withCli(): Promise<EmptyFolder> {
    const folder = new EmptyFolder(mkdtempSync(join(tmpdir(), 'classroom-cli-')));
    const archives = await folder.packSdk(realpathSync(join(CLI, 'node_modules', 'commander')));
    // pnpm writes the version of the SDK in place of `workspace:*`.
    const pnpm = join(REPO, '.toolchain', 'node_modules', '.bin', 'pnpm');
    const { stdout } = await run(pnpm, ['pack', '--json', '--pack-destination', folder.path], { cwd: CLI });
    await folder.install([...archives, (JSON.parse(stdout) as { filename: string }).filename]);
    return folder;
  }

  /** @returns the archives of the SDK, its dependencies and more packages */
  private async packSdk(...more: string[]): Promise<string[]> {
    const webhooks = realpathSync(join(SDK, 'node_modules', 'standardwebhooks'));
    const sibling = (name: string) => join(dirname(webhooks), name);
    const packages = [SDK, webhooks, realpathSync(sibling('@stablelib/base64')), realpathSync(sibling('fast-sha256')), ...more];
    const { stdout } = await this.npm('pack', '--json', '--ignore-scripts', ...packages);
    return (JSON.parse(stdout) as { filename: string }[]).map(({ filename }) => `./${filename}`);
  }

  private async install(archives: string[]): Promise<void> {
    await this.npm('install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', ...archives);
  }

  /** Runs a file with this text. @returns the output @throws if it fails */
  async node(name: string, text: string, env: Record<string, string>): Promise<string> {
    writeFileSync(join(this.path, name), text);
    return (await run(process.execPath, [name], { cwd: this.path, env: { ...process.env, ...env } })).stdout;
  }

  /** @returns the compiler's errors in a file with this text; the only types are those of the package and the platform */
  async typeErrorsOf(name: string, text: string): Promise<string[]> {
    writeFileSync(join(this.path, name), text);
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      'es2022,dom,dom.iterable',
      '--types',
      '',
    ];
    const compiler = join(SDK, '..', '..', 'node_modules', '.bin', 'tsc');
    // The compiler exits with an error if it finds one.
    const { stdout } = await run(compiler, [...options, name], { cwd: this.path }).catch((failure: { stdout: string }) => failure);
    return stdout.split('\n').filter((line) => line !== '');
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

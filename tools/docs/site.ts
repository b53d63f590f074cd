// npm run docs: builds the documentation site and serves it on loopback. `-- --build` only builds, `-- --dev` follows changes of the pages.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, command, REPO, StackError, stackHome } from '../stack/context.ts';
import { Progress } from '../stack/progress.ts';
import { run } from '../stack/run.ts';
import { install, NX, toolEnvironment } from '../stack/toolchain.ts';
import { serve } from './serve.ts';

export const SITE = join(REPO, 'docs', '.vitepress', 'dist');
const PORT = Number(process.env['DOCS_PORT'] ?? 8090);

/** Builds the site with Nx, which skips the build if no page has changed. */
export async function buildSite(home: string): Promise<void> {
  await run(NX, ['run', '@classroom/docs:docs', '--output-style=stream'], {
    cwd: REPO,
    env: { ...toolEnvironment(), NO_COLOR: '1' },
    home,
    logFile: join(home, 'logs', 'docs.log'),
    what: 'The build of the site',
  });
}

async function follow(): Promise<void> {
  const vitepress = join(REPO, 'docs', 'node_modules', '.bin', 'vitepress');
  const child = spawn(vitepress, ['dev', '--host', '127.0.0.1', '--port', String(PORT)], {
    cwd: join(REPO, 'docs'),
    env: toolEnvironment(),
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 0;
}

async function main(flags: string[]): Promise<void> {
  const home = stackHome();
  mkdirSync(home, { recursive: true });
  const progress = new Progress();
  await progress.step('packages', async (note) => note(await install({ home })));
  if (flags.includes('--dev')) return follow();
  await progress.step('documentation', () => buildSite(home));
  if (flags.includes('--build')) return progress.line(`Built in ${SITE}`);
  const { address } = await serve(SITE, PORT).catch((error: unknown) => {
    throw codeOf(error) === 'EADDRINUSE' ? new StackError(`Port ${PORT} is in use: set DOCS_PORT to another one.`) : error;
  });
  progress.line(`\nDocumentation  ${address}   (Ctrl-C stops it)`);
}

if (import.meta.main) void command(main(process.argv.slice(2)));

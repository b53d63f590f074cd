import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { REPO } from './stack/paths.ts';
import { toolEnvironment } from './stack/toolchain.ts';

/** `npm run build [-- options of nx run-many]`: builds with the pnpm and the Node of the toolchain. */
const nx = path.join(REPO, 'node_modules', '.bin', 'nx');
const { status } = spawnSync(nx, ['run-many', '-t', 'build', ...process.argv.slice(2)], {
  cwd: REPO,
  env: toolEnvironment(),
  stdio: 'inherit',
});
process.exitCode = status ?? 1;

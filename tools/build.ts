import { spawnSync } from 'node:child_process';
import { REPO } from './stack/context.ts';
import { install, NX, toolEnvironment } from './stack/toolchain.ts';

// npm run build [-- options of nx run-many]
// Builds with the pnpm and the Node of the toolchain, after installing the packages if the lock file has changed.
await install({ home: '.stack' });
const { status } = spawnSync(NX, ['run-many', '-t', 'build', ...process.argv.slice(2)], {
  cwd: REPO,
  env: toolEnvironment(),
  stdio: 'inherit',
});
process.exitCode = status ?? 1;

import fs from 'node:fs';
import path from 'node:path';
import { withLock } from '../stack/pidfile.ts';
import { placeAtomically, stackCache } from '../stack/context.ts';
import { run } from '../stack/run.ts';
import { obtainPythonPackages } from './python-packages.ts';

/** The most widely used generator of clients in Python, and its dependencies. @throws as `obtainPythonPackages` */
export const obtainPythonGenerator = () =>
  obtainPythonPackages({ name: 'openapi-python-client', purpose: 'A generator of clients reads the reference', least: '3.11.0' });

/** The most widely used generator of types in TypeScript, with the compiler that it needs. */
const TYPESCRIPT = ['openapi-typescript@7.13.0', 'typescript@5.9.3'];

/** @returns the path of `openapi-typescript` */
export async function obtainTypescriptGenerator({ cache = stackCache(), env = process.env } = {}): Promise<string> {
  const folder = path.join(cache, 'openapi-typescript', TYPESCRIPT.join('-').replaceAll('@', '-'));
  await withLock(path.join(cache, 'openapi-typescript.lock'), async () => {
    if (fs.existsSync(folder)) return;
    const logFile = path.join(cache, 'logs', 'openapi-typescript-npm.log');
    await placeAtomically(folder, (staging) =>
      run('npm', ['install', '--prefix', staging, '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', ...TYPESCRIPT], {
        cwd: staging,
        env,
        logFile,
        what: 'npm install openapi-typescript',
      }),
    );
  });
  return path.join(folder, 'node_modules', 'openapi-typescript', 'bin', 'cli.js');
}

/** The most widely used generator of clients in Go. */
const GO = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
/** What its clients import, in the form of a `go.mod`. */
export const GO_RUNTIME = 'github.com/oapi-codegen/runtime v1.9.0';

/** @returns the path of `oapi-codegen` @throws if there is no Go */
export async function obtainGoGenerator({ cache = stackCache(), env = process.env } = {}): Promise<string> {
  const folder = path.join(cache, 'oapi-codegen', GO.split('@').at(-1) ?? '');
  await withLock(path.join(cache, 'oapi-codegen.lock'), async () => {
    if (fs.existsSync(folder)) return;
    const logFile = path.join(cache, 'logs', 'oapi-codegen-go.log');
    const options = { logFile, what: 'go install oapi-codegen' };
    await placeAtomically(folder, (staging) =>
      run('go', ['install', GO], {
        ...options,
        cwd: staging,
        env: { ...env, GOBIN: staging, CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off' },
      }),
    );
  });
  return path.join(folder, 'oapi-codegen');
}

import fs from 'node:fs';
import path from 'node:path';
import { StackError, placeAtomically, stackCache } from '../stack/context.ts';
import { withLock } from '../stack/pidfile.ts';
import { ask, run } from '../stack/run.ts';
import PINS from './pins.json' with { type: 'json' };

const GO = path.join(import.meta.dirname, 'go');
/** Programs that the one binary contains. */
const NAMES = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet', 'kube-proxy', 'kubectl'];
/** Programs that run in pods, each in an image of its own. */
export const ADDONS = ['pause', 'coredns', 'metrics-server'];

/** Without the version that the linker sets, the API server and its clients do not know each other's. */
function ldflags(): string {
  const [major, minor] = PINS.kubernetes.split('.');
  const values = { gitVersion: `v${PINS.kubernetes}`, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' };
  const packages = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'];
  const all = packages.flatMap((name) => Object.entries(values).map(([key, value]) => `-X ${name}.${key}=${value}`));
  return ['-s', '-w', ...all].join(' ');
}

/**
 * Kubernetes, CoreDNS and the metrics server, built by Go into the cache, because no package registry has them as programs. Takes 5 to 10 minutes
 * and 10 GB of Go's caches, once.
 * @returns the folder with the programs
 * @throws {StackError} says what to install
 */
export async function obtainComponents({ cache = stackCache() }: { cache?: string } = {}): Promise<string> {
  const folder = path.join(cache, 'kubernetes', PINS.kubernetes);
  await withLock(path.join(cache, 'kubernetes.lock'), async () => {
    if (fs.existsSync(folder)) return;
    if (!(await ask('go', ['version']))) throw new StackError('Kubernetes is built by Go: install Go 1.24 or newer.');
    await placeAtomically(folder, async (staging) => {
      const build = (module: string, target: string, flags: string, name: string) =>
        run('go', ['build', '-ldflags', flags, '-o', path.join(staging, name), target], {
          cwd: path.join(GO, module),
          env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off', GOFLAGS: '-mod=readonly -buildvcs=false -trimpath' },
          logFile: path.join(cache, 'logs', 'kubernetes-go.log'),
          timeoutMs: 60 * 60_000,
          what: `go build ${name}`,
        });
      await build('kubernetes', '.', ldflags(), 'kubernetes');
      for (const name of NAMES) fs.symlinkSync('kubernetes', path.join(staging, name));
      for (const name of ADDONS) await build('addons', `./${name}`, '-s -w', name);
    });
  });
  return folder;
}

import path from 'node:path';
import { run, ask } from '../run.ts';
import { withLock } from '../lock.ts';
import { isRoot } from '../paths.ts';

/** Whether Debian packages can be installed on this machine: as root, with apt-get. */
export async function canInstall() {
  return isRoot() && (await ask('apt-get', ['--version'], {})) !== undefined;
}

/**
 * Installs packages, one program at a time, because dpkg allows only one process.
 * @param name of the program, for messages and the log
 */
export async function installPackages(
  name: string,
  packages: string[],
  { home, cache, signal }: { home: string; cache: string; signal?: AbortSignal },
) {
  await withLock(
    path.join(cache, 'apt.lock'),
    async () => {
      const options = {
        home,
        signal,
        logFile: path.join(home, 'logs', `${name}-apt.log`),
        // Programs are installed for what starts them itself: systemd starts no service of theirs.
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', SYSTEMD_OFFLINE: '1' },
      };
      const apt = (...args: string[]) =>
        run('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], { ...options, what: `apt-get ${args[0]} ${name}` });
      const install = () => apt('install', '-y', '--no-install-recommends', ...packages);
      try {
        await install();
      } catch (error) {
        if (signal?.aborted) throw error;
        // A bare container has no package lists yet, or outdated ones.
        await apt('update');
        await install();
      }
    },
    signal,
  );
}

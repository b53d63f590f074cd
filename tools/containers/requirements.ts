import fs from 'node:fs';
import path from 'node:path';
import { compareVersions, freeBytes, isRoot, StackError } from '../stack/context.ts';
import { canInstall, findOnPath, installPackages, type ProgramName, PROGRAMS } from '../stack/programs.ts';
import type { Progress } from '../stack/progress.ts';
import { ask } from '../stack/run.ts';

/** Debian packages, each with what it brings: commands on the PATH, or files. */
type Packages = Record<string, string[]>;

/** For an engine of one's own, with images made here. */
export const ENGINE: Packages = {
  'docker.io': ['dockerd', 'docker'],
  containerd: ['containerd'],
  runc: ['runc'],
  iptables: ['iptables'],
  debootstrap: ['debootstrap'],
  iproute2: ['ip'],
  'util-linux': ['nsenter', 'unshare', 'mount'],
  'ca-certificates': ['/etc/ssl/certs/ca-certificates.crt'],
};

/** For a Kubernetes node as well. */
export const NODE: Packages = {
  ...ENGINE,
  containerd: ['containerd', 'ctr'],
  'containernetworking-plugins': ['ptp', 'portmap', 'host-local'].map((name) => `/usr/lib/cni/${name}`),
  nftables: ['nft'],
  conntrack: ['conntrack'],
  socat: ['socat'],
  openssl: ['openssl'],
  procps: ['sysctl'],
};

/** With which the tests hold a class, and read its film. */
export const TEST_PROGRAMS: readonly ProgramName[] = ['chromium', 'chromium-headless-shell', 'ffmpeg'];

/** From this version on, Go itself downloads the newer one that a module requires. */
const GO = '1.21';
const GB = 1024 ** 3;
/** Images, their layers, and Go's caches. */
const SPACE = 25 * GB;

const isHere = (name: string) => (path.isAbsolute(name) ? fs.existsSync(name) : findOnPath('', [name]) !== undefined);

/** @returns the packages that are missing, or not whole */
export const missingPackages = (packages: Packages, has: (name: string) => boolean = isHere): string[] =>
  Object.keys(packages).filter((name) => !packages[name]?.every(has));

export interface Machine {
  isRoot: boolean;
  /** Whether Debian packages can be installed. */
  installs: boolean;
  /** Missing Debian packages. */
  missing: string[];
  /** What `go version` prints. */
  go: string | undefined;
  /** Bytes that are free for what is built; undefined if it has been built before. */
  free: number | undefined;
}

/** @returns everything that is to be done by hand before anything can be built */
export function stepsByHand({ isRoot: root, installs, missing, go, free }: Machine): string[] {
  const steps = root ? [] : ['run this as root'];
  if (missing.length > 0 && !installs) steps.push(`install the Debian packages ${missing.join(', ')} (root installs them itself)`);
  const [, version] = /go(\d+\.\d+)/.exec(go ?? '') ?? [];
  if (!version || compareVersions(version, GO) < 0) steps.push(`install Go ${GO} or newer (here is ${version ?? 'none'})`);
  if (free !== undefined && free < SPACE)
    steps.push(
      `make room: the disk of the cache has ${(free / GB).toFixed(1)} GB free, and ${SPACE / GB} GB are needed (STACK_CACHE names another disk)`,
    );
  return steps;
}

export interface Requirements {
  packages: Packages;
  programs?: readonly ProgramName[];
  cache: string;
  progress: Progress;
}

/**
 * Installs the Debian packages that are missing, all at once and before anything is built. The variables of the programs are set.
 * @throws {StackError} names everything that is to be done by hand
 */
export async function obtainRequirements({ packages, programs = [], cache, progress }: Requirements): Promise<void> {
  const find = async () => {
    const absent: string[] = [];
    for (const name of programs) {
      const found = await PROGRAMS[name].find();
      if (found) Object.assign(process.env, found);
      else absent.push(...(PROGRAMS[name].packages ?? [name]));
    }
    return [...missingPackages(packages), ...absent];
  };
  const missing = await find();
  const steps = stepsByHand({
    isRoot: isRoot(),
    installs: await canInstall(),
    missing,
    go: await ask('go', ['version']),
    free: fs.existsSync(path.join(cache, 'containers', 'data-root')) ? undefined : freeBytes(cache),
  });
  if (steps.length > 0) throw new StackError(`Before this can run: ${steps.join('; ')}.`);
  if (missing.length === 0) return;
  await progress.step('debian packages', async (note) => {
    await installPackages('checks', missing, { home: cache, cache });
    note(missing.join(' '));
  });
  const left = await find();
  if (left.length > 0) throw new StackError(`Debian's packages ${left.join(', ')} were installed, and what they bring is not on the PATH.`);
}

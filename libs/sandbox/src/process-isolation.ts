import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const CHECK_TIMEOUT_MS = 10_000;
const CHECK_LIMITS = { memory: 4 * 1024 ** 3, processorSeconds: 10, fileSize: 1024 };

/** Which of the system's protections against a compromised decoder are available here. */
export interface ProcessIsolation {
  /** Limits of memory, processor time and file size. */
  limits: boolean;
  /** The command that runs a program in an empty network namespace; undefined if none works. */
  network: string[] | undefined;
  /** The program is killed when our process ends, and cannot gain privileges. */
  parent: boolean;
  nice: boolean;
}

export interface ResourceLimits {
  /** Bytes of address space. */
  memory: number;
  /** Seconds of processor time, for all threads together. */
  processorSeconds: number;
  /** Maximum bytes of each file that the program writes. */
  fileSize: number;
}

const NETWORK_WRAPPERS = [
  ['unshare', '--net', '--'],
  ['unshare', '--user', '--map-current-user', '--net', '--'],
];
const PARENT_WRAPPER = ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--'];
/** Lower priority: processes that serve requests on the same machine come first. */
const NICE_WRAPPER = ['nice', '-n', '10'];
const limitsWrapper = ({ memory, processorSeconds, fileSize }: ResourceLimits) => [
  'prlimit',
  `--as=${memory}`,
  `--cpu=${Math.ceil(processorSeconds)}`,
  `--fsize=${Math.ceil(fileSize)}`,
  '--core=0',
  '--nofile=256',
  '--',
];

/**
 * The command with all available protections. Each wrapper replaces itself with the next program (exec), so the started process
 * is the one that gets killed.
 */
export function isolatedCommand(isolation: ProcessIsolation, limits: ResourceLimits, command: string[]): [file: string, ...args: string[]] {
  return [
    ...(isolation.nice ? NICE_WRAPPER : []),
    ...(isolation.network ?? []),
    // `setpriv` comes after the wrappers that change privileges: such a change would reset the parent-death signal.
    ...(isolation.parent ? PARENT_WRAPPER : []),
    ...(isolation.limits ? limitsWrapper(limits) : []),
    ...command,
  ] as [string, ...string[]];
}

/**
 * Which protections this machine and this user allow.
 * @param harmless a command that ends immediately, such as `ffmpeg -version`
 */
export async function detectIsolation(probe: readonly string[]): Promise<ProcessIsolation> {
  const isAvailable = async ([program = '', ...args]: readonly string[]) =>
    promisify(execFile)(program, [...args, ...probe], { timeout: CHECK_TIMEOUT_MS, env: {} }).then(
      () => true,
      () => false,
    );
  const networks = await Promise.all(NETWORK_WRAPPERS.map(async (wrapper) => ((await isAvailable(wrapper)) ? [wrapper] : [])));
  const [limits, parent, nice] = await Promise.all([
    isAvailable(limitsWrapper(CHECK_LIMITS)),
    isAvailable(PARENT_WRAPPER),
    isAvailable(NICE_WRAPPER),
  ]);
  return { limits, network: networks.flat()[0], parent, nice };
}

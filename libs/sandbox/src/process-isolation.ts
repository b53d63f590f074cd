import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const TRY_MS = 10_000;
const TRY_LIMITS = { memory: 4 * 1024 ** 3, processorSeconds: 10, fileSize: 1024 };

/** Which of the system's protections against a compromised decoder are available here. */
export interface Walls {
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

const NETWORK_WALLS = [
  ['unshare', '--net', '--'],
  ['unshare', '--user', '--map-current-user', '--net', '--'],
];
const PARENT_WALL = ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--'];
/** Lower priority: processes that serve requests on the same machine come first. */
const NICE_WALL = ['nice', '-n', '10'];
const limitsWall = ({ memory, processorSeconds, fileSize }: ResourceLimits) => [
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
export function confined(walls: Walls, limits: ResourceLimits, command: string[]): [file: string, ...args: string[]] {
  return [
    ...(walls.nice ? NICE_WALL : []),
    ...(walls.network ?? []),
    // `setpriv` comes after the wrappers that change privileges: such a change would reset the parent-death signal.
    ...(walls.parent ? PARENT_WALL : []),
    ...(walls.limits ? limitsWall(limits) : []),
    ...command,
  ] as [string, ...string[]];
}

/**
 * Which protections this machine and this user allow.
 * @param harmless a command that ends immediately, such as `ffmpeg -version`
 */
export async function findWalls(harmless: readonly string[]): Promise<Walls> {
  const stands = async ([program = '', ...args]: readonly string[]) =>
    promisify(execFile)(program, [...args, ...harmless], { timeout: TRY_MS, env: {} }).then(
      () => true,
      () => false,
    );
  const networks = await Promise.all(NETWORK_WALLS.map(async (wall) => ((await stands(wall)) ? [wall] : [])));
  const [limits, parent, nice] = await Promise.all([stands(limitsWall(TRY_LIMITS)), stands(PARENT_WALL), stands(NICE_WALL)]);
  return { limits, network: networks.flat()[0], parent, nice };
}

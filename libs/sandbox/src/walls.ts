import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const TRY_MS = 10_000;
const TRY_LIMITS = { memory: 4 * 1024 ** 3, processorSeconds: 10, fileSize: 1024 };

/** What of the system's means against a hijacked decoder works here. */
export interface Walls {
  /** Limits of memory, processor time and file size. */
  limits: boolean;
  /** An empty network namespace: the words before the program. */
  network: string[] | undefined;
  /** Ends with us, and gains no rights. */
  parent: boolean;
  nice: boolean;
}

export interface ResourceLimits {
  /** Bytes of address space. */
  memory: number;
  /** Seconds of all its threads together. */
  processorSeconds: number;
  /** Bytes of each file that it writes. */
  fileSize: number;
}

const NETWORK_WALLS = [
  ['unshare', '--net', '--'],
  ['unshare', '--user', '--map-current-user', '--net', '--'],
];
const PARENT_WALL = ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--'];
/** What serves requests on the same machine comes first. */
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

/** Each program becomes the next one, so the process that is started is the one that is killed. */
export function confined(walls: Walls, limits: ResourceLimits, command: string[]): [file: string, ...args: string[]] {
  return [
    ...(walls.nice ? NICE_WALL : []),
    ...(walls.network ?? []),
    // Last of all: a change of rights would make the system forget it.
    ...(walls.parent ? PARENT_WALL : []),
    ...(walls.limits ? limitsWall(limits) : []),
    ...command,
  ] as [string, ...string[]];
}

/** Which walls this machine and this user allow. @param harmless a command that ends at once, such as `ffmpeg -version` */
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

/** What of the system's means against a hijacked decoder works here. */
export interface Walls {
  /** Limits of memory, processor time and file size. */
  limits: boolean;
  /** A network with nobody in it: the words before the program. */
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

export const NETWORK_WALLS = [
  ['unshare', '--net', '--'],
  ['unshare', '--user', '--map-current-user', '--net', '--'],
];
export const PARENT_WALL = ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--'];
/** What serves requests on the same machine comes first. */
export const NICE_WALL = ['nice', '-n', '10'];
export const limitsWall = ({ memory, processorSeconds, fileSize }: ResourceLimits) => [
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

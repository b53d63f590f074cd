import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { bulkhead, isBulkheadRejectedError } from 'cockatiel';
import { AppError } from '@classroom/contracts';
import { inProgramSpan, logger } from '@classroom/platform';
import { confined, findWalls, locateProgram, runProgram, type Ended, type ResourceLimits, type Walls } from '@classroom/sandbox';

/** Upper limit of concurrent programs. More than the number of processors would only delay all of them; each may take about 400 MB. */
const MOST_AT_ONCE = 4;
/** Maximum number of waiting inputs; each is held in memory while it waits. */
const QUEUE = 64;

let walls: Promise<Walls> | undefined;

export interface Reading {
  /** @param file an absolute path */
  argsFor(file: string): string[];
  limits: ResourceLimits;
  /** Milliseconds of wall time. */
  timeoutMs: number;
  /** Bytes of output. A program that writes more is ended. */
  mostBytes: number;
}

export interface Read extends Pick<Ended, 'code' | 'complaint'> {
  output: Buffer;
  /** The program ran longer, or wrote more, than its limits allow. */
  isBeyondLimits: boolean;
}

/** The program is not installed. */
export class MissingProgram extends Error {}

/** Runs a program on one untrusted file inside the sandbox of libs/sandbox, and returns the program's output. */
export class ConfinedReader {
  private readonly places = bulkhead(Math.min(availableParallelism(), MOST_AT_ONCE), QUEUE);
  private file: string | undefined;

  /** @param searchPath folders in the format of PATH */
  constructor(
    private readonly program: string,
    private readonly searchPath: string,
  ) {}

  /**
   * Returns the program's path. Looks it up on each call until it is found.
   * @throws MissingProgram
   */
  async locate(): Promise<string> {
    this.file ??= await locateProgram(this.program, this.searchPath).catch((error: Error) => {
      throw new MissingProgram(error.message);
    });
    return this.file;
  }

  /** @throws MissingProgram, AppError AI_UNAVAILABLE if too many inputs wait already, the signal's reason */
  async read(bytes: Uint8Array, reading: Reading, signal: AbortSignal): Promise<Read> {
    const program = await this.locate();
    try {
      return await this.places.execute(() => run(program, bytes, reading, signal), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (isBulkheadRejectedError(error))
        throw new AppError('AI_UNAVAILABLE', { message: 'Too many recordings and pictures are waiting to be read' });
      throw error;
    }
  }
}

async function run(
  program: string,
  bytes: Uint8Array,
  { argsFor, limits, timeoutMs, mostBytes }: Reading,
  caller: AbortSignal,
): Promise<Read> {
  caller.throwIfAborted();
  const folder = await mkdtemp(join(tmpdir(), 'ai-input-'));
  try {
    const file = join(folder, 'input');
    await writeFile(file, bytes, { mode: 0o600 });
    const command = confined(await wallsHere(), limits, [program, ...argsFor(file)]);
    const parts: Buffer[] = [];
    let size = 0;
    const tooMuch = new AbortController();
    const until = performance.now() + timeoutMs;
    const take = (part: Buffer) => {
      size += part.length;
      if (size > mostBytes) tooMuch.abort();
      else parts.push(part);
    };
    const options = {
      folder,
      signal: AbortSignal.any([caller, tooMuch.signal]),
      onOutput: { bytes: take },
      isStuck: () => performance.now() > until,
    };
    const ended = await inProgramSpan(basename(program), () => runProgram(command, options)).catch((error: unknown) => {
      if (caller.aborted || !tooMuch.signal.aborted) throw error;
      return { code: null, wasStuck: true, complaint: 'it wrote too much' };
    });
    return { code: ended.code, complaint: ended.complaint, output: Buffer.concat(parts), isBeyondLimits: ended.wasStuck };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function wallsHere(): Promise<Walls> {
  walls ??= findWalls(['true']).then((found) => {
    logger.info(
      { walls: { ...found, network: found.network !== undefined } },
      'programs that read audio and images are isolated by these mechanisms',
    );
    return found;
  });
  return walls;
}

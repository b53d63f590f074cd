import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { bulkhead, isBulkheadRejectedError } from 'cockatiel';
import { AppError } from '@classroom/contracts';
import { inProgramSpan, logger } from '@classroom/platform';
import {
  isolatedCommand,
  detectIsolation,
  locateProgram,
  runProgram,
  type ProgramResult,
  type ResourceLimits,
  type ProcessIsolation,
} from '@classroom/sandbox';

/** Upper limit of concurrent programs. More than the number of processors would only delay all of them; each may take about 400 MB. */
const MAX_CONCURRENCY = 4;
/** Maximum number of waiting inputs; each is held in memory while it waits. */
const MAX_QUEUED = 64;

let isolation: Promise<ProcessIsolation> | undefined;

export interface RunSpec {
  /** @param file an absolute path */
  argsFor(file: string): string[];
  limits: ResourceLimits;
  /** Milliseconds of wall time. */
  timeoutMs: number;
  /** Bytes of output. A program that writes more is ended. */
  maxBytes: number;
}

export interface RunResult extends Pick<ProgramResult, 'code' | 'stderrTail'> {
  output: Buffer;
  /** The program ran longer, or wrote more, than its limits allow. */
  isBeyondLimits: boolean;
}

/** The program is not installed. */
export class ProgramNotInstalledError extends Error {}

/** Runs a program on one untrusted file inside the sandbox of libs/sandbox, and returns the program's output. */
export class SandboxedProgram {
  private readonly limiter = bulkhead(Math.min(availableParallelism(), MAX_CONCURRENCY), MAX_QUEUED);
  private file: string | undefined;

  /** @param searchPath folders in the format of PATH */
  constructor(
    private readonly program: string,
    private readonly searchPath: string,
  ) {}

  /**
   * Returns the program's path. Looks it up on each call until it is found.
   * @throws ProgramNotInstalledError
   */
  async locate(): Promise<string> {
    this.file ??= await locateProgram(this.program, this.searchPath).catch((error: Error) => {
      throw new ProgramNotInstalledError(error.message);
    });
    return this.file;
  }

  /** @throws ProgramNotInstalledError, AppError AI_UNAVAILABLE if too many inputs wait already, the signal's reason */
  async run(bytes: Uint8Array, spec: RunSpec, signal: AbortSignal): Promise<RunResult> {
    const program = await this.locate();
    try {
      return await this.limiter.execute(() => runSandboxed(program, bytes, spec, signal), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (isBulkheadRejectedError(error))
        throw new AppError('AI_UNAVAILABLE', { message: 'Too many recordings and pictures are waiting to be read' });
      throw error;
    }
  }
}

async function runSandboxed(
  program: string,
  bytes: Uint8Array,
  { argsFor, limits, timeoutMs, maxBytes }: RunSpec,
  caller: AbortSignal,
): Promise<RunResult> {
  caller.throwIfAborted();
  const folder = await mkdtemp(join(tmpdir(), 'ai-input-'));
  try {
    const file = join(folder, 'input');
    await writeFile(file, bytes, { mode: 0o600 });
    const command = isolatedCommand(await detectOnce(), limits, [program, ...argsFor(file)]);
    const parts: Buffer[] = [];
    let size = 0;
    const outputLimit = new AbortController();
    const until = performance.now() + timeoutMs;
    const collect = (part: Buffer) => {
      size += part.length;
      if (size > maxBytes) outputLimit.abort();
      else parts.push(part);
    };
    const options = {
      folder,
      signal: AbortSignal.any([caller, outputLimit.signal]),
      onOutput: { bytes: collect },
      isStalled: () => performance.now() > until,
    };
    const ended = await inProgramSpan(basename(program), () => runProgram(command, options)).catch((error: unknown) => {
      if (caller.aborted || !outputLimit.signal.aborted) throw error;
      return { code: null, wasStalled: true, stderrTail: 'it wrote too much' };
    });
    return { code: ended.code, stderrTail: ended.stderrTail, output: Buffer.concat(parts), isBeyondLimits: ended.wasStalled };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function detectOnce(): Promise<ProcessIsolation> {
  isolation ??= detectIsolation(['true']).then((found) => {
    logger.info(
      { isolation: { ...found, network: found.network !== undefined } },
      'programs that read audio and images are isolated by these mechanisms',
    );
    return found;
  });
  return isolation;
}

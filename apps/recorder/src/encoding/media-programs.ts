import { dirname, join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, inProgramSpan, logger } from '@classroom/platform';
import { detectIsolation, isolatedCommand, locateProgram, runProgram, type ProcessIsolation } from '@classroom/sandbox';
import { childEnvironment, type RecorderConfig } from '../config.js';

const GIB = 1024 ** 3;
/** Far above what the sound of the longest capture takes. */
const LIMITS = { memory: 4 * GIB, processorSeconds: 2 * 3600 };

/** The ffprobe of an ffmpeg: the one in its folder or, if it has only a name, the one on the PATH. */
export const ffprobeOf = (ffmpeg: string): string => join(dirname(ffmpeg), 'ffprobe');

interface Run {
  args: readonly string[];
  /** Working folder. */
  folder: string;
  /** Maximum bytes of each file that the program writes. */
  fileSize: number;
}

/**
 * ffmpeg and ffprobe. They read what a page has determined, so they run with as little access as this system allows: without our environment,
 * with limits, and without a network.
 */
@Injectable()
export class MediaPrograms {
  private isolation: Promise<ProcessIsolation> | undefined;

  constructor(@Inject(CONFIG) private readonly config: Pick<RecorderConfig, 'FFMPEG_PATH'>) {}

  /** @throws if ffmpeg fails, with the last lines of its errors */
  ffmpeg(run: Run): Promise<string> {
    return this.run(this.config.FFMPEG_PATH, run);
  }

  /** @returns what ffprobe printed @throws if it fails, with the last lines of its errors */
  ffprobe(run: Omit<Run, 'fileSize'>): Promise<string> {
    return this.run(ffprobeOf(this.config.FFMPEG_PATH), { ...run, fileSize: 0 });
  }

  private async run(name: string, { args, folder, fileSize }: Run): Promise<string> {
    const file = await locateProgram(name, childEnvironment()['PATH'] ?? '');
    const command = isolatedCommand(await this.detected(), { ...LIMITS, fileSize }, [file, ...args]);
    let output = '';
    const options = {
      folder,
      signal: new AbortController().signal,
      onOutput: (text: string) => {
        output += text;
      },
      isStalled: () => false,
    };
    const { code, exitSignal, stderrTail } = await inProgramSpan(name, () => runProgram(command, options));
    if (code !== 0) throw new Error(`${name} ended with ${exitSignal ?? `code ${code}`}: ${stderrTail}`);
    return output;
  }

  /** What the system allows, found out once. */
  private detected(): Promise<ProcessIsolation> {
    this.isolation ??= (async () => {
      const found = await detectIsolation(['true']);
      logger.info({ isolation: { ...found, network: found.network !== undefined } }, 'ffmpeg is isolated by these mechanisms');
      return found;
    })();
    return this.isolation;
  }
}

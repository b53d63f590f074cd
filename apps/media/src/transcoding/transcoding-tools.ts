import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, Dependencies, logger } from '@classroom/platform';
import { decodersOf, detectIsolation, locateProgram, type ProcessIsolation } from '@classroom/sandbox';
import type { MediaConfig } from '../config.js';

const CHECK_TIMEOUT_MS = 10_000;

export interface Tools {
  ffmpeg: string;
  ffprobe: string;
  isolation: ProcessIsolation;
  /** Whether this ffmpeg can map wide (HDR) colours to those of every screen. */
  canToneMap: boolean;
  /** Every decoder of this ffprobe, with its codec. */
  decoders: ReadonlyMap<string, string>;
}

/** The programs that a worker needs, and which of the system's protections work here. Both are determined once. */
@Injectable()
export class TranscodingTools implements OnModuleInit {
  private found: Promise<Tools> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: MediaConfig,
    private readonly dependencies: Dependencies,
  ) {}

  onModuleInit(): void {
    this.dependencies.register('ffmpeg', () => this.tools(), { required: false });
  }

  /** @throws if ffmpeg or ffprobe cannot be used; the next call tries again */
  async tools(): Promise<Tools> {
    this.found ??= this.locate();
    try {
      return await this.found;
    } catch (error) {
      this.found = undefined;
      throw error;
    }
  }

  private async locate(): Promise<Tools> {
    const ffmpeg = await locateProgram(this.config.FFMPEG_PATH, this.config.PATH);
    const ffprobe = await locateProgram(join(dirname(ffmpeg), 'ffprobe'), this.config.PATH);
    const [filters, decoders] = await Promise.all([
      outputOf([ffmpeg, '-hide_banner', '-filters']),
      outputOf([ffprobe, '-hide_banner', '-decoders']),
    ]);
    const isolation = await detectIsolation([ffprobe, '-version']);
    logger.info(
      { isolation: { ...isolation, network: isolation.network !== undefined } },
      'ffmpeg is isolated by its options and by these mechanisms',
    );
    const canToneMap = / zscale /.test(filters) && / tonemap /.test(filters);
    return { ffmpeg, ffprobe, isolation, canToneMap, decoders: decodersOf(decoders) };
  }
}

async function outputOf([file = '', ...args]: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(file, args, { timeout: CHECK_TIMEOUT_MS, maxBuffer: 1024 ** 2 });
  return stdout;
}

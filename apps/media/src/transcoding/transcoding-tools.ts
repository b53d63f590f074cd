import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, Dependencies, logger } from '@classroom/platform';
import { findWalls, locateProgram, type Walls } from '@classroom/sandbox';
import type { MediaConfig } from '../config.js';

const TRY_MS = 10_000;

export interface Tools {
  ffmpeg: string;
  ffprobe: string;
  walls: Walls;
  /** Whether this ffmpeg can map wide (HDR) colours to those of every screen. */
  canMapTones: boolean;
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
    this.found ??= this.look();
    try {
      return await this.found;
    } catch (error) {
      this.found = undefined;
      throw error;
    }
  }

  private async look(): Promise<Tools> {
    const [ffmpeg, ffprobe] = (await Promise.all(
      [this.config.FFMPEG_PATH, this.config.FFPROBE_PATH].map((program) => locateProgram(program, this.config.PATH)),
    )) as [string, string];
    const [filters] = await Promise.all([said([ffmpeg, '-hide_banner', '-filters']), said([ffprobe, '-version'])]);
    const walls = await findWalls([ffprobe, '-version']);
    logger.info({ walls: { ...walls, network: walls.network !== undefined } }, 'ffmpeg is isolated by its options and by these mechanisms');
    return { ffmpeg, ffprobe, walls, canMapTones: / zscale /.test(filters) && / tonemap /.test(filters) };
  }
}

async function said([file = '', ...args]: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(file, args, { timeout: TRY_MS, maxBuffer: 1024 ** 2 });
  return stdout;
}

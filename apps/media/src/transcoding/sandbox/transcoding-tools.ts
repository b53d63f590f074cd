import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, Dependencies, logger } from '@classroom/platform';
import type { MediaConfig } from '../../config.js';
import { limitsWall, NETWORK_WALLS, NICE_WALL, PARENT_WALL, type Walls } from './walls.js';

const TRY_MS = 10_000;
const TRY_LIMITS = { memory: 4 * 1024 ** 3, processorSeconds: 10, fileSize: 1024 };

export interface Tools {
  ffmpeg: string;
  ffprobe: string;
  walls: Walls;
  /** Whether wide colours can be brought into those of every screen. */
  canMapTones: boolean;
}

/** The programs a worker needs, and what of the system's protections works here: looked at once. */
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

  /** @throws where ffmpeg or ffprobe can't be used; looked for again the next time */
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
    const [ffmpeg, ffprobe] = await Promise.all([this.located(this.config.FFMPEG_PATH), this.located(this.config.FFPROBE_PATH)]);
    const [filters] = await Promise.all([said([ffmpeg, '-hide_banner', '-filters']), said([ffprobe, '-version'])]);
    const stands = async (wall: string[]) => works([...wall, ffprobe, '-version']);
    const network = await Promise.all(NETWORK_WALLS.map(async (wall) => ((await stands(wall)) ? [wall] : [])));
    const walls: Walls = {
      limits: await stands(limitsWall(TRY_LIMITS)),
      network: network.flat()[0],
      parent: await stands(PARENT_WALL),
      nice: await stands(NICE_WALL),
    };
    logger.info({ walls: { ...walls, network: walls.network !== undefined } }, 'ffmpeg is kept from files, addresses and other programs by its options, and by these walls');
    return { ffmpeg, ffprobe, walls, canMapTones: / zscale /.test(filters) && / tonemap /.test(filters) };
  }

  /** It runs without an environment, so without a PATH. */
  private async located(program: string): Promise<string> {
    const places = program.includes('/') ? [''] : this.config.PATH.split(delimiter);
    for (const place of places) {
      const file = resolve(place, program);
      if (await access(file, constants.X_OK).then(() => true, () => false)) return file;
    }
    throw new Error(`${program} is not installed`);
  }
}

async function said([file = '', ...args]: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(file, args, { timeout: TRY_MS, maxBuffer: 1024 ** 2 });
  return stdout;
}

const works = (command: string[]) => said(command).then(() => true, () => false);

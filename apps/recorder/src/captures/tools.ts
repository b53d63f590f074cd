import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, Dependencies, logger } from '@classroom/platform';
import { findSandbox, type Chromium } from './chromium.js';
import type { RecorderConfig } from '../config.js';
import { ffprobeOf } from '../encoding/media-programs.js';
import { runProgram } from '../encoding/run-program.js';

/** The programs that a recorder needs, checked once. If one is missing, the recorder accepts no jobs. */
@Injectable()
export class Tools implements OnModuleInit {
  /** Rejects if there is no Chromium that can film. */
  readonly chromium: Promise<Chromium>;
  private readonly found: Record<'chromium' | 'ffmpeg', Promise<boolean>>;

  constructor(
    @Inject(CONFIG) config: RecorderConfig,
    private readonly dependencies: Dependencies,
  ) {
    const { CHROMIUM_PATH, CHROMIUM_SANDBOX, FFMPEG_PATH } = config;
    this.chromium = findSandbox(CHROMIUM_PATH, CHROMIUM_SANDBOX);
    this.found = {
      chromium: isUsable('chromium', () => this.chromium),
      ffmpeg: isUsable('ffmpeg', () => Promise.all([FFMPEG_PATH, ffprobeOf(FFMPEG_PATH)].map((path) => runProgram(path, ['-version'])))),
    };
  }

  onModuleInit(): void {
    for (const [name, found] of Object.entries(this.found)) {
      const check = async () => {
        if (!(await found)) throw new Error(`${name} can't be used`);
      };
      this.dependencies.register(name, check, { required: false });
    }
  }

  async missing(): Promise<string[]> {
    const all = await Promise.all(Object.entries(this.found).map(async ([name, found]) => ((await found) ? [] : [name])));
    return all.flat();
  }
}

async function isUsable(name: string, probe: () => Promise<unknown>): Promise<boolean> {
  try {
    await probe();
    return true;
  } catch (error) {
    logger.warn({ err: error, tool: name }, 'a program required for recording cannot be used');
    return false;
  }
}

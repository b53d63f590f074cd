import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@classroom/platform';
import type { MediaConfig } from '../config.js';

const ATTEMPT_FOLDER = /^(?:vid|doc|board)_[A-Za-z0-9]+-\d+$/;

/** A local folder for each attempt, and for each file of a board. */
@Injectable()
export class WorkFolders {
  private readonly home: string;
  /** Deletes what a killed worker left. A home belongs to one worker, so nothing in it is in use when the worker starts. */
  private cleaned: Promise<void> | undefined;

  constructor(@Inject(CONFIG) config: MediaConfig) {
    this.home = resolve(config.MEDIA_WORK_HOME);
  }

  /** Runs `work` in a new folder and always removes the folder. */
  async within<T>(id: string, attempt: number, work: (folder: string) => Promise<T>): Promise<T> {
    await this.ready();
    const folder = join(this.home, `${id}-${attempt}`);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Resolves when nothing of an earlier worker is left. */
  ready(): Promise<void> {
    return (this.cleaned ??= this.clean());
  }

  private async clean(): Promise<void> {
    const names = await readdir(this.home).catch(() => []);
    for (const name of names.filter((it) => ATTEMPT_FOLDER.test(it))) await rm(join(this.home, name), { recursive: true, force: true });
  }
}

import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { logger } from '@classroom/platform';
import type { Announcer } from '../announcements/announcer.js';
import { toEgressInfo } from '../announcements/egress-event.js';
import { pageAddress } from '../browser/page-address.js';
import { RecordingPage, type CaptureMessage, type PageListener } from '../browser/recording-page.js';
import type { RecorderConfig } from '../config.js';
import type { CaptureFolder } from './capture-folder.js';
import { endLeftOvers } from './process-mark.js';
import { countFilm } from './film-metrics.js';
import { conclude, type End } from './progress.js';

/** Of the page, from its address to its word that something is rendered. */
const START_PATIENCE_MS = 30_000;
/** A second of film comes each second: a browser that gives none for so long is as good as dead. */
const STALL_MS = 15_000;
const LOOK_EVERY_MS = 1_000;

/** One capture from its acceptance to the last of its film. */
export class Capture {
  /** The file is where it belongs, or never will be, and that was said. */
  isOver = false;
  private readonly ending = Promise.withResolvers<End>();
  private readonly rendered = Promise.withResolvers<void>();
  private hasEnded = false;
  private lastChunkAt = 0;
  private counts = { frames: 0, skipped: 0 };

  constructor(
    readonly folder: CaptureFolder,
    private readonly config: RecorderConfig,
    private readonly announcer: Announcer,
  ) {}

  describe() {
    return toEgressInfo(this.folder.job, this.folder.progress, Date.now(), this.isOver);
  }

  /** The first reason counts. */
  end(reason: End): void {
    this.hasEnded = true;
    this.ending.resolve(reason);
  }

  /** Never throws: whatever happens is how the capture ended. The folder has then all that will ever be captured. */
  async film(token: string): Promise<void> {
    let film: FileHandle | undefined;
    let page: RecordingPage | undefined;
    const watch = setInterval(() => void this.look(page), LOOK_EVERY_MS);
    try {
      film = await open(this.folder.film, 'a', 0o600);
      page = await RecordingPage.launch(this.pageOptions(token), this.listener(film));
      await this.begin(page);
    } catch (error) {
      this.end({ cause: 'broken', reason: error instanceof Error ? error.message : String(error) });
    }
    const end = await this.ending.promise;
    clearInterval(watch);
    await this.conclude(end);
    if (page) await this.close(page);
    await endLeftOvers(this.folder.path);
    await film?.close();
    countFilm(this.folder, this.counts);
  }

  private pageOptions(token: string) {
    const { job, profile } = this.folder;
    return { address: pageAddress({ ...job, token }), chromium: this.config.CHROMIUM_PATH, profile, preset: job.preset };
  }

  /** Each step unless the capture has ended before. */
  private async begin(page: RecordingPage): Promise<void> {
    const patience = setTimeout(() => this.end({ cause: 'broken', reason: 'the recording page did not start' }), START_PATIENCE_MS);
    const steps = [() => page.open(), () => this.rendered.promise, () => page.film()];
    try {
      for (const step of steps) if (!this.hasEnded) await Promise.race([step(), this.ending.promise]);
    } finally {
      clearTimeout(patience);
    }
  }

  private listener(film: FileHandle): PageListener {
    return {
      onStart: () => this.rendered.resolve(),
      onEnd: () => this.end({ cause: 'the room was over' }),
      onBroken: (reason) => this.end({ cause: 'broken', reason }),
      onMessage: async (message) => {
        try {
          await this.take(message, film);
        } catch (error) {
          logger.error({ err: error, egressId: this.folder.job.egressId }, 'a piece of film could not be kept');
          this.end({ cause: 'broken', reason: 'the film could not be written' });
        }
      },
    };
  }

  private async take(message: CaptureMessage, film: FileHandle): Promise<void> {
    switch (message.kind) {
      case 'started':
        if (this.hasEnded) return;
        this.lastChunkAt = message.at;
        await this.folder.update({ activeAt: message.at });
        await this.announcer.say('active', this.folder);
        return;
      case 'chunk':
        await film.appendFile(Buffer.from(message.data, 'base64'));
        this.lastChunkAt = Date.now();
        this.counts = { frames: message.frames, skipped: message.skipped };
        return;
      case 'failed':
        logger.warn({ reason: message.message, egressId: this.folder.job.egressId }, 'the browser stopped to record');
        this.end({ cause: 'broken', reason: 'the browser stopped to record' });
    }
  }

  private async look(page: RecordingPage | undefined): Promise<void> {
    const { activeAt } = this.folder.progress;
    if (activeAt === undefined) {
      const complaint = await page?.complaint();
      if (complaint) this.end({ cause: 'broken', reason: `the recording page says: ${complaint}` });
      return;
    }
    const seconds = this.config.RECORDER_MAX_SECONDS;
    if (Date.now() - activeAt >= seconds * 1000) this.end({ cause: 'limit', seconds });
    if (Date.now() - this.lastChunkAt > STALL_MS) this.end({ cause: 'broken', reason: 'the browser gave no more film' });
  }

  private async close(page: RecordingPage): Promise<void> {
    const { job, progress } = this.folder;
    // A browser that is dead says so at once.
    const isWhole = progress.activeAt === undefined || (await page.finish().then(() => true, () => false));
    const isClosed = await page.close();
    if (!isWhole || !isClosed) logger.warn({ egressId: job.egressId, isWhole, isClosed }, 'a browser did not end as it should');
  }

  private async conclude(end: End): Promise<void> {
    const until = end.cause === 'broken' && this.lastChunkAt > 0 ? this.lastChunkAt : Date.now();
    await this.folder.update(conclude(this.folder.progress, end, until));
    if (this.folder.progress.activeAt !== undefined) await this.announcer.say('ending', this.folder);
  }
}

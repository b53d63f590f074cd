import { open, type FileHandle } from 'node:fs/promises';
import { LONGEST_RECORDING_SECONDS } from '@classroom/contracts';
import { inSpan, logger, peerOf, SpanKind } from '@classroom/platform';
import { metrics } from '@opentelemetry/api';
import type { EgressEventPublisher } from './egress-event-publisher.js';
import { pageAddress, RecordingPage, type CaptureMessage, type PageListener } from './recording-page.js';
import type { Chromium } from './chromium.js';
import type { CaptureFolder } from '../state/capture-folder.js';
import { killLeftoverProcesses } from '../state/process-identity.js';
import { conclude, type End, type FilmJob, type PageTokens } from '../state/progress.js';
import { toEgressInfo } from '../state/egress-event.js';

/** A job that this recorder has accepted, or took over. One that has nothing to film cannot be ended early. */
export class AcceptedJob {
  /** The file is uploaded, or never will be, and the event of the end is on disk. */
  isOver = false;

  constructor(readonly folder: CaptureFolder) {}

  describe() {
    return toEgressInfo(this.folder.job, this.folder.progress, Date.now(), this.isOver);
  }

  end(_: End): void {
    // Only a capture ends before its file is made.
  }

  /** Resolves when the folder contains everything that the file is made of. */
  async finish(): Promise<void> {
    // Only a capture has to be ended.
  }
}

/** Timeout from opening the page to its signal that something is rendered. */
const START_TIMEOUT_MS = 30_000;
/** The browser delivers a second of film each second: one that delivers nothing for this long counts as dead. */
const STALL_MS = 15_000;
const CHECK_INTERVAL_MS = 1_000;

/** One capture, from the acceptance of its job to its end. */
export class Capture extends AcceptedJob {
  private readonly ending = Promise.withResolvers<End>();
  private readonly rendered = Promise.withResolvers<void>();
  private file: FileHandle | undefined;
  private page: RecordingPage | undefined;
  private healthTimer: NodeJS.Timeout | undefined;
  private hasEnded = false;
  private lastChunkAt = 0;
  private counts = { frames: 0, skipped: 0 };
  /** What the start waits for. */
  private awaited = 'the browser started';

  constructor(
    override readonly folder: CaptureFolder<FilmJob>,
    private readonly eventPublisher: EgressEventPublisher,
    private readonly chromium: Promise<Chromium>,
  ) {
    super(folder);
  }

  /** Only the first reason counts. */
  override end(reason: End): void {
    this.hasEnded = true;
    this.ending.resolve(reason);
  }

  /** Resolves when the capture has to end, and never throws: a failure is a reason for the end. */
  async record(tokens: PageTokens): Promise<void> {
    this.healthTimer = setInterval(() => void this.checkHealth(this.page), CHECK_INTERVAL_MS);
    const attributes = { 'process.executable.name': 'chromium', ...peerOf(new URL(this.folder.job.pageUrl).origin) };
    try {
      await inSpan('start chromium', { kind: SpanKind.CLIENT, attributes }, () => this.start(tokens));
    } catch (error) {
      this.end({ cause: 'broken', reason: error instanceof Error ? error.message : String(error) });
    }
    await this.ending.promise;
  }

  override async finish(): Promise<void> {
    const end = await this.ending.promise;
    clearInterval(this.healthTimer);
    await this.conclude(end);
    const { page } = this;
    if (page) await inSpan('end chromium', { attributes: { 'process.executable.name': 'chromium' } }, () => this.close(page));
    await killLeftoverProcesses(this.folder.path);
    await this.file?.close();
    recordCaptureMetrics(this.folder, this.counts);
  }

  private async start(tokens: PageTokens): Promise<void> {
    const file = await open(this.folder.mediaPath, 'a', 0o600);
    this.file = file;
    this.page = await RecordingPage.launch(this.chromium, this.pageOptions(tokens), this.listener(file));
    await this.openPage(this.page);
  }

  private pageOptions(tokens: PageTokens) {
    const { job, profile } = this.folder;
    return { address: pageAddress({ ...job, ...tokens }), profile, preset: job.preset, audioOnly: job.audioOnly };
  }

  /** Skips the remaining steps once the capture has ended. */
  private async openPage(page: RecordingPage): Promise<void> {
    const timeout = setTimeout(() => this.end({ cause: 'broken', reason: 'the recording page did not start' }), START_TIMEOUT_MS);
    const { origin } = new URL(this.folder.job.pageUrl);
    const steps: [awaited: string, step: () => Promise<void>][] = [
      [`the recording page was loaded from ${origin}`, () => page.open()],
      ['the recording page showed the class', () => this.rendered.promise],
      ['anything was captured', () => page.startRecording()],
    ];
    try {
      for (const [awaited, step] of steps) {
        if (this.hasEnded) return;
        this.awaited = awaited;
        await Promise.race([step(), this.ending.promise]);
      }
    } finally {
      clearTimeout(timeout);
    }
  }

  private listener(media: FileHandle): PageListener {
    return {
      onStart: () => this.rendered.resolve(),
      onEnd: () => this.end({ cause: 'the room was over' }),
      onBroken: (reason) => this.end({ cause: 'broken', reason }),
      onMessage: async (message) => {
        try {
          await this.handleMessage(message, media);
        } catch (error) {
          logger.error({ err: error, egressId: this.folder.job.egressId }, 'recording chunk could not be written');
          this.end({ cause: 'broken', reason: 'recording could not be written' });
        }
      },
    };
  }

  private async handleMessage(message: CaptureMessage, media: FileHandle): Promise<void> {
    switch (message.kind) {
      case 'started':
        if (this.hasEnded) return;
        this.lastChunkAt = message.at;
        await this.folder.update({ activeAt: message.at });
        await this.eventPublisher.publish('active', this.folder);
        return;
      case 'chunk':
        await media.appendFile(Buffer.from(message.data, 'base64'));
        this.lastChunkAt = Date.now();
        this.counts = { frames: message.frames, skipped: message.skipped };
        return;
      case 'failed':
        logger.warn({ reason: message.message, egressId: this.folder.job.egressId }, 'browser stopped recording');
        this.end({ cause: 'broken', reason: 'browser stopped recording' });
    }
  }

  private async checkHealth(page: RecordingPage | undefined): Promise<void> {
    const { activeAt } = this.folder.progress;
    if (activeAt === undefined) {
      const errorText = await page?.errorText();
      if (errorText) this.end({ cause: 'broken', reason: `the recording page says: ${errorText}` });
      return;
    }
    if (Date.now() - activeAt >= LONGEST_RECORDING_SECONDS * 1000) this.end({ cause: 'limit', seconds: LONGEST_RECORDING_SECONDS });
    if (Date.now() - this.lastChunkAt > STALL_MS) this.end({ cause: 'broken', reason: 'the browser gave no more film' });
  }

  private async close(page: RecordingPage): Promise<void> {
    const { job, progress } = this.folder;
    // A dead browser fails immediately.
    const isWhole =
      progress.activeAt === undefined ||
      (await page.finish().then(
        () => true,
        () => false,
      ));
    const isClosed = await page.close();
    if (!isWhole || !isClosed) logger.warn({ egressId: job.egressId, isWhole, isClosed }, 'browser did not exit cleanly');
  }

  private async conclude(end: End): Promise<void> {
    const until = end.cause === 'broken' && this.lastChunkAt > 0 ? this.lastChunkAt : Date.now();
    await this.folder.update(conclude(this.folder.progress, end, until, this.awaited));
    if (this.folder.progress.activeAt !== undefined) await this.eventPublisher.publish('ending', this.folder);
  }
}

const meter = metrics.getMeter('virtual-classroom');
const captures = meter.createCounter('classroom_recorder_captures_total', { description: 'Captures that ended, by outcome' });
const seconds = meter.createCounter('classroom_recorder_captured_seconds_total', { description: 'Film captured, by outcome' });
const frames = meter.createCounter('classroom_recorder_frames_total', {
  description: 'Frames drawn, and left out because their time was over',
});

/** Called once per capture, when filming has ended. */
function recordCaptureMetrics({ job, progress }: CaptureFolder, { frames: drawn, skipped }: { frames: number; skipped: number }): void {
  const { activeAt, endedAt, outcome = 'FAILED', error } = progress;
  const length = activeAt === undefined || endedAt === undefined ? 0 : (endedAt - activeAt) / 1000;
  captures.add(1, { outcome });
  seconds.add(length, { outcome });
  frames.add(drawn, { kind: 'drawn' });
  frames.add(skipped, { kind: 'skipped' });
  logger.info({ egressId: job.egressId, sid: job.sid, outcome, reason: error, seconds: length, frames: drawn, skipped }, 'capture ended');
}

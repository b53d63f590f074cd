import { Inject, Injectable } from '@nestjs/common';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { AppError, captureSubject, recorderRpc, type CaptureJob } from '@classroom/contracts';
import { NATS } from '@classroom/messaging';
import { Background, Clock, CONFIG, failpoint, injectTrace, logger, type Task } from '@classroom/platform';
import { Announcer } from '../announcements/announcer.js';
import type { RecorderConfig } from '../config.js';
import { answer } from '../rpc/answer.js';
import { Tools } from '../tools.js';
import { Capture } from './capture.js';
import { CaptureFolder } from './capture-folder.js';
import { Completion } from './completion.js';
import { salvage } from './salvage.js';
import { Slots } from './slots.js';

const QUEUE = 'recorder';
/** Before the platform's own limit of 25 s: what is not done by then is done by whoever starts next. */
const STOP_LIMIT_MS = 24_000;

/** Takes jobs while a slot is free, and sees each capture to its end. */
@Injectable()
export class CaptureDesk implements Task {
  private readonly captures = new Map<string, Capture>();
  private readonly accepted = new Map<string, Promise<{ egressId: string }>>();
  private readonly work = new Set<Promise<void>>();
  private readonly stopped = new AbortController();
  private opening: Promise<void> = Promise.resolve();
  private starts: Subscription | undefined;
  private isOpen = false;

  constructor(
    background: Background,
    @Inject(CONFIG) private readonly config: RecorderConfig,
    @Inject(NATS) private readonly connection: NatsConnection,
    @Inject(Clock) private readonly clock: Clock,
    private readonly slots: Slots,
    private readonly announcer: Announcer,
    private readonly completion: Completion,
    private readonly tools: Tools,
  ) {
    background.add(this, 'any');
  }

  start(): void {
    this.announcer.start();
    this.opening = this.open().catch((error: unknown) => logger.error({ err: error }, 'this recorder takes no jobs'));
  }

  /** Nothing new; what runs goes on for its grace, then ends as if it had been stopped. */
  async stop(): Promise<void> {
    this.isOpen = false;
    this.listen();
    await this.opening;
    const grace = setTimeout(() => {
      for (const capture of this.captures.values()) capture.end({ cause: 'broken', reason: 'the recorder was shut down' });
    }, this.config.RECORDER_DRAIN_SECONDS * 1000);
    const limit = new Promise<void>((resolve) => setTimeout(resolve, STOP_LIMIT_MS).unref());
    await Promise.race([Promise.allSettled(this.work), limit]);
    clearTimeout(grace);
    this.stopped.abort(new Error('the recorder is shut down'));
    await this.announcer.stop();
  }

  private async open(): Promise<void> {
    const left = await CaptureFolder.leftBehind(this.config.RECORDER_HOME);
    const missing = await this.tools.missing();
    if (missing.length > 0) {
      logger.error({ missing }, 'this recorder takes no jobs: programs it needs are missing');
      return;
    }
    if (left.length > 0) this.follow(this.salvageAll(left));
    this.isOpen = true;
    this.listen();
    await this.connection.flush();
  }

  /** Nobody listening is how callers learn that no recorder is free. */
  private listen(): void {
    const isWanted = this.isOpen && this.slots.free > 0;
    if (isWanted) this.starts ??= answer(this.connection, recorderRpc.start, { queue: QUEUE }, (job) => this.accept(job));
    else {
      this.starts?.unsubscribe();
      this.starts = undefined;
    }
  }

  /** The same job again is answered as the first time. */
  private accept(job: CaptureJob): Promise<{ egressId: string }> {
    const known = this.accepted.get(job.egressId);
    if (known) return known;
    const accepted = this.begin(job);
    this.accepted.set(job.egressId, accepted);
    void accepted.catch(() => this.accepted.delete(job.egressId));
    return accepted;
  }

  private async begin({ token, ...job }: CaptureJob): Promise<{ egressId: string }> {
    const { egressId } = job;
    // A second job may have been on its way already when we stopped listening.
    if (!this.isOpen || !this.slots.take()) throw new AppError('SERVICE_UNAVAILABLE', { message: 'No recorder is free; try again shortly' });
    this.listen();
    try {
      const now = this.clock.wall().getTime();
      const folder = await CaptureFolder.create(this.config.RECORDER_HOME, job, now, injectTrace());
      const capture = await this.enter(folder);
      await this.announcer.say('started', folder);
      this.follow(this.see(capture, token));
      return { egressId };
    } catch (error) {
      this.release();
      throw error;
    }
  }

  private async enter(folder: CaptureFolder): Promise<Capture> {
    const capture = new Capture(folder, this.config, this.announcer);
    this.captures.set(folder.job.egressId, capture);
    await this.announcer.follow(folder);
    return capture;
  }

  private async see(capture: Capture, token: string): Promise<void> {
    const subscriptions = this.answerFor(capture);
    try {
      await capture.film(token);
      await failpoint('recorder.filmed');
      await this.completion.makeFile(capture.folder);
    } finally {
      this.release();
    }
    await this.complete(capture, subscriptions);
  }

  private async complete(capture: Capture, subscriptions: Subscription[]): Promise<void> {
    const { folder } = capture;
    await this.completion.deliver(folder, this.stopped.signal);
    capture.isOver = true;
    await this.completion.clear(folder);
    for (const subscription of subscriptions) subscription.unsubscribe();
    this.forget(folder);
  }

  private answerFor(capture: Capture): Subscription[] {
    const { egressId } = capture.folder.job;
    const { stop, describe } = recorderRpc;
    return [
      answer(this.connection, stop, { subject: captureSubject(stop, egressId) }, async () => {
        capture.end({ cause: 'stopped' });
        return { egressId };
      }),
      answer(this.connection, describe, { subject: captureSubject(describe, egressId) }, async () => ({ egressInfo: capture.describe() })),
    ];
  }

  /** One after the other, beside what is captured meanwhile; uploads wait for nobody. */
  private async salvageAll(folders: CaptureFolder[]): Promise<void> {
    for (const folder of folders) {
      await this.salvage(folder).catch((error: unknown) => {
        logger.error({ err: error, egressId: folder.job.egressId }, 'a capture that was left behind could not be saved');
      });
    }
  }

  private async salvage(folder: CaptureFolder): Promise<void> {
    const capture = await this.enter(folder);
    if (!(await salvage(folder, this.announcer, this.clock.wall().getTime()))) return this.forget(folder);
    const subscriptions = this.answerFor(capture);
    await this.completion.makeFile(folder);
    this.follow(this.complete(capture, subscriptions));
  }

  private forget(folder: CaptureFolder): void {
    this.announcer.forget(folder);
    this.captures.delete(folder.job.egressId);
    this.accepted.delete(folder.job.egressId);
  }

  private release(): void {
    this.slots.release();
    this.listen();
  }

  private follow(work: Promise<void>): void {
    const followed = work.catch((error: unknown) => {
      if (!this.stopped.signal.aborted) logger.error({ err: error }, 'a capture could not be brought to its end');
    });
    this.work.add(followed);
    void followed.finally(() => this.work.delete(followed));
  }
}

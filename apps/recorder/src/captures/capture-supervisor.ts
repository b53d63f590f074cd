import { Inject, Injectable } from '@nestjs/common';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { AppError, captureSubject, recorderRpc, type CaptureJob } from '@classroom/contracts';
import { NATS, RpcServer } from '@classroom/messaging';
import {
  Clock,
  CONFIG,
  Dependencies,
  failpoint,
  ShutdownDeadline,
  InBackground,
  injectTrace,
  inLinkedSpan,
  logger,
  type Task,
} from '@classroom/platform';
import { EgressEventPublisher } from '../events/egress-event-publisher.js';
import type { RecorderConfig } from '../config.js';
import { Tools } from '../tools/tools.js';
import { Capture } from './capture.js';
import { CaptureFolder } from '../state/capture-folder.js';
import { Completion } from './completion.js';
import { recoverCapture } from './recover-capture.js';
import { Slots } from './slots.js';

/** At shutdown, the share of the grace period reserved for making and uploading files, with its bounds in milliseconds. */
const FILE_SHARE = 0.2;
const [MIN_FILE_MS, MAX_FILE_MS] = [20_000, 600_000];
/** Reserved for exiting. Work that is not done by then is done by the next process that starts on the same folder. */
const EXIT_RESERVE_MS = 1_000;

/** Accepts jobs while a slot is free, and follows each capture to its end. */
@Injectable()
@InBackground('any')
export class CaptureSupervisor implements Task {
  private readonly captures = new Map<string, Capture>();
  private readonly accepted = new Map<string, Promise<{ egressId: string }>>();
  private readonly work = new Set<Promise<void>>();
  private readonly stopped = new AbortController();
  private opening: Promise<void> = Promise.resolve();
  private startSubscription: Subscription | undefined;
  private isOpen = false;
  private hasOpened = false;

  constructor(
    @Inject(CONFIG) private readonly config: RecorderConfig,
    @Inject(NATS) private readonly connection: NatsConnection,
    @Inject(Clock) private readonly clock: Clock,
    private readonly server: RpcServer,
    private readonly slots: Slots,
    private readonly eventPublisher: EgressEventPublisher,
    private readonly completion: Completion,
    private readonly tools: Tools,
    private readonly grace: ShutdownDeadline,
    dependencies: Dependencies,
  ) {
    // In a rolling upgrade the previous recorder stops accepting jobs as soon as this one is ready.
    const check = async () => {
      if (!this.hasOpened) throw new Error('not yet known whether this recorder takes jobs');
    };
    dependencies.register('jobs', check, { required: true });
  }

  start(): void {
    this.eventPublisher.start();
    this.opening = this.open()
      .catch((error: unknown) => logger.error({ err: error }, 'recorder disabled'))
      .finally(() => (this.hasOpened = true));
  }

  /** Accepts no new job. Captures continue while there is time, then they are cut and their files are made. */
  async stop(): Promise<void> {
    this.isOpen = false;
    this.slots.close();
    this.updateSubscription();
    await this.opening;
    const fileMs = Math.min(MAX_FILE_MS, Math.max(MIN_FILE_MS, this.config.DRAIN_SECONDS * 1000 * FILE_SHARE));
    const cutTimer = setTimeout(() => {
      for (const capture of this.captures.values()) capture.end({ cause: 'broken', reason: 'the recorder was shut down' });
    }, this.grace.remaining(fileMs));
    const limit = new Promise<void>((resolve) => setTimeout(resolve, this.grace.remaining(EXIT_RESERVE_MS)).unref());
    await Promise.race([Promise.allSettled(this.work), limit]);
    clearTimeout(cutTimer);
    this.stopped.abort(new Error('the recorder is shut down'));
    await this.eventPublisher.stop();
  }

  private async open(): Promise<void> {
    const left = await CaptureFolder.takeOverAbandoned(this.config.RECORDER_HOME);
    const missing = await this.tools.missing();
    if (missing.length > 0) {
      logger.error({ missing }, 'recorder disabled: required programs are missing');
      return;
    }
    if (left.length > 0) this.follow(this.recoverAll(left));
    this.isOpen = true;
    this.updateSubscription();
    await this.connection.flush();
  }

  /** Subscribes only while a slot is free: callers learn that no recorder is free from the missing subscriber. */
  private updateSubscription(): void {
    const isWanted = this.isOpen && this.slots.free > 0;
    if (isWanted) this.startSubscription ??= this.server.serve(recorderRpc.start, (job) => this.accept(job));
    else {
      // Requests that are already on their way are still answered, if only with an error.
      void this.startSubscription?.drain();
      this.startSubscription = undefined;
    }
  }

  /** A repeated job gets the answer of the first one. */
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
    // The job may have been on its way when the subscription ended.
    if (!this.isOpen || !this.slots.take())
      throw new AppError('SERVICE_UNAVAILABLE', { message: 'No recorder is free; try again shortly' });
    this.updateSubscription();
    try {
      const now = this.clock.wall().getTime();
      const folder = await CaptureFolder.create(this.config.RECORDER_HOME, job, now, injectTrace());
      const capture = await this.register(folder);
      await this.eventPublisher.publish('started', folder);
      this.follow(this.runCapture(capture, token));
      return { egressId };
    } catch (error) {
      this.release();
      throw error;
    }
  }

  private async register(folder: CaptureFolder): Promise<Capture> {
    const capture = new Capture(folder, this.config, this.eventPublisher, this.tools.chromium);
    this.captures.set(folder.job.egressId, capture);
    await this.eventPublisher.register(folder);
    return capture;
  }

  private async runCapture(capture: Capture, token: string): Promise<void> {
    const subscriptions = this.serveRequests(capture);
    await capture.record(token);
    await finishing(capture.folder, () => this.finish(capture, subscriptions));
  }

  private async finish(capture: Capture, subscriptions: Subscription[]): Promise<void> {
    try {
      await capture.finish();
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
    this.remove(folder);
  }

  private serveRequests(capture: Capture): Subscription[] {
    const { egressId } = capture.folder.job;
    const { stop, describe } = recorderRpc;
    const end = async () => {
      capture.end({ cause: 'stopped' });
      return { egressId };
    };
    const describeCapture = async () => ({ egressInfo: capture.describe() });
    return [
      this.server.serve(stop, end, { subject: captureSubject(stop, egressId), queue: null }),
      this.server.serve(describe, describeCapture, { subject: captureSubject(describe, egressId), queue: null }),
    ];
  }

  /** One folder after the other, in parallel to running captures. An upload does not delay the next folder. */
  private async recoverAll(folders: CaptureFolder[]): Promise<void> {
    for (const folder of folders) {
      await finishing(folder, () => this.recover(folder)).catch((error: unknown) => {
        logger.error({ err: error, egressId: folder.job.egressId }, 'abandoned capture could not be saved');
      });
    }
  }

  private async recover(folder: CaptureFolder): Promise<void> {
    const capture = await this.register(folder);
    if (!(await recoverCapture(folder, this.eventPublisher, this.clock.wall().getTime()))) return this.remove(folder);
    const subscriptions = this.serveRequests(capture);
    await this.completion.makeFile(folder);
    this.follow(this.complete(capture, subscriptions));
  }

  private remove(folder: CaptureFolder): void {
    this.eventPublisher.unregister(folder);
    this.captures.delete(folder.job.egressId);
    this.accepted.delete(folder.job.egressId);
  }

  private release(): void {
    this.slots.release();
    this.updateSubscription();
  }

  private follow(work: Promise<void>): void {
    const followed = work.catch((error: unknown) => {
      if (!this.stopped.signal.aborted) logger.error({ err: error }, 'capture could not be completed');
    });
    this.work.add(followed);
    void followed.finally(() => this.work.delete(followed));
  }
}

/** Starts a trace of its own, because hours may pass between a capture's beginning and its end. */
const finishing = ({ job, trace }: CaptureFolder, work: () => Promise<void>) =>
  inLinkedSpan('finish capture', { since: trace['traceparent'], attributes: { 'room.sid': job.sid, 'egress.id': job.egressId } }, work);

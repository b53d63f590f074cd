import { Inject, Injectable } from '@nestjs/common';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { AppError, captureSubject, recorderRpc, type CaptureJob, type MergeJob } from '@classroom/contracts';
import { NATS, RpcServer } from '@classroom/messaging';
import {
  Clock,
  CONFIG,
  Dependencies,
  failpoint,
  InBackground,
  injectTrace,
  inLinkedSpan,
  logger,
  ShutdownDeadline,
  type Task,
} from '@classroom/platform';
import { EgressEventPublisher } from './egress-event-publisher.js';
import type { RecorderConfig } from '../config.js';
import { Tools } from './tools.js';
import { AcceptedJob, Capture } from './capture.js';
import { CaptureFolder } from '../state/capture-folder.js';
import type { PageTokens, Progress, StoredJob } from '../state/progress.js';
import { Completion, recoverCapture } from './completion.js';
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
  private readonly jobs = new Map<string, AcceptedJob>();
  private readonly accepted = new Map<string, Promise<{ egressId: string }>>();
  private readonly work = new Set<Promise<void>>();
  private readonly stopped = new AbortController();
  private opening: Promise<void> = Promise.resolve();
  private jobSubscriptions: Subscription[] = [];
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
      for (const job of this.jobs.values()) job.end({ cause: 'broken', reason: 'the recorder was shut down' });
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
    if (isWanted === this.jobSubscriptions.length > 0) return;
    // Requests that are already on their way are still answered, if only with an error.
    for (const subscription of this.jobSubscriptions.splice(0)) void subscription.drain();
    if (!isWanted) return;
    const { start, merge } = recorderRpc;
    this.jobSubscriptions = [
      this.server.serve(start, (job) => this.accept(job, () => this.beginCapture(job))),
      this.server.serve(merge, (job) => this.accept(job, () => this.beginMerge(job))),
    ];
  }

  /** A repeated job gets the answer of the first one. */
  private accept({ egressId }: StoredJob, begin: () => Promise<void>): Promise<{ egressId: string }> {
    const known = this.accepted.get(egressId);
    if (known) return known;
    const accepted = this.begin(begin).then(() => ({ egressId }));
    this.accepted.set(egressId, accepted);
    void accepted.catch(() => this.accepted.delete(egressId));
    return accepted;
  }

  private async begin(begin: () => Promise<void>): Promise<void> {
    // The job may have been on its way when the subscription ended.
    if (!this.isOpen || !this.slots.take())
      throw new AppError('SERVICE_UNAVAILABLE', { message: 'No recorder is free; try again shortly' });
    this.updateSubscription();
    try {
      await begin();
    } catch (error) {
      this.release();
      throw error;
    }
  }

  private async beginCapture({ token, boardToken, ...job }: CaptureJob): Promise<void> {
    const folder = await this.createFolder(job, {});
    const capture = new Capture(folder, this.eventPublisher, this.tools.chromium);
    await this.register(capture);
    await this.eventPublisher.publish('started', folder);
    this.follow(this.runCapture(capture, { token, boardToken }));
  }

  /** A merge has nothing to film. Its file is made as a capture's is made after filming. */
  private async beginMerge(job: MergeJob): Promise<void> {
    const folder = await this.createFolder(job, { activeAt: Date.parse(job.startedAt), outcome: 'COMPLETE' });
    const accepted = await this.register(new AcceptedJob(folder));
    await this.eventPublisher.publish('started', folder);
    const subscriptions = this.serveRequests(accepted);
    this.follow(finishing(folder, () => this.finish(accepted, subscriptions)));
  }

  private createFolder<Job extends StoredJob>(job: Job, progress: Partial<Progress>): Promise<CaptureFolder<Job>> {
    const acceptedAt = this.clock.wall().getTime();
    return CaptureFolder.create(this.config.RECORDER_HOME, job, { acceptedAt, ...progress }, injectTrace());
  }

  private async register(job: AcceptedJob): Promise<AcceptedJob> {
    this.jobs.set(job.folder.job.egressId, job);
    await this.eventPublisher.register(job.folder);
    return job;
  }

  private async runCapture(capture: Capture, tokens: PageTokens): Promise<void> {
    const subscriptions = this.serveRequests(capture);
    await capture.record(tokens);
    await finishing(capture.folder, () => this.finish(capture, subscriptions));
  }

  private async finish(job: AcceptedJob, subscriptions: Subscription[]): Promise<void> {
    try {
      await job.finish();
      await failpoint('recorder.filmed');
      await this.completion.makeFile(job.folder);
    } finally {
      this.release();
    }
    await this.complete(job, subscriptions);
  }

  private async complete(job: AcceptedJob, subscriptions: Subscription[]): Promise<void> {
    const { folder } = job;
    await this.completion.deliver(folder, this.stopped.signal);
    job.isOver = true;
    await this.completion.clear(folder);
    for (const subscription of subscriptions) subscription.unsubscribe();
    this.remove(folder);
  }

  private serveRequests(job: AcceptedJob): Subscription[] {
    const { egressId } = job.folder.job;
    const { stop, describe } = recorderRpc;
    const end = async () => {
      job.end({ cause: 'stopped' });
      return { egressId };
    };
    const describeJob = async () => ({ egressInfo: job.describe() });
    return [
      this.server.serve(stop, end, { subject: captureSubject(stop, egressId), queue: null }),
      this.server.serve(describe, describeJob, { subject: captureSubject(describe, egressId), queue: null }),
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
    const job = await this.register(new AcceptedJob(folder));
    if (!(await recoverCapture(folder, this.eventPublisher, this.clock.wall().getTime()))) return this.remove(folder);
    const subscriptions = this.serveRequests(job);
    await this.completion.makeFile(folder);
    this.follow(this.complete(job, subscriptions));
  }

  private remove(folder: CaptureFolder): void {
    this.eventPublisher.unregister(folder);
    this.jobs.delete(folder.job.egressId);
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

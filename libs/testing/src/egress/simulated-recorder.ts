import { jetstream } from '@nats-io/jetstream';
import { connect, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { AppError, type CaptureJob, captureSubject, healthRpc, liveKitSubject, recorderRpc } from '@classroom/contracts';
import { Bucket } from '../bucket.js';
import { sleep } from '../eventually.js';
import type { RunningStack } from '../running-stack.js';
import type { Capture } from './capture.js';
import { type EgressEvent, isOver } from './egress-message.js';
import { SimulatedEngine } from './simulated-engine.js';

const QUEUE = 'recorder';

/** The embedded recorder's side of `recorderRpc`: subscribes to jobs only while it has a free slot, and to each capture's own subjects. */
export class SimulatedRecorder extends SimulatedEngine {
  private start: Subscription | undefined;
  private merge: Subscription | undefined;
  private health: Subscription | undefined;
  private readonly own = new Map<Capture, Subscription[]>();

  private constructor(
    private readonly connection: NatsConnection,
    private readonly bucket: Bucket,
  ) {
    super();
  }

  /** Resolves when its subscriptions are active. */
  static async connect(stack: RunningStack): Promise<SimulatedRecorder> {
    const connection = await connect({ ...stack.nats, maxReconnectAttempts: -1, reconnectTimeWait: 200 });
    const recorder = new SimulatedRecorder(connection, Bucket.of(stack));
    recorder.changed();
    await connection.flush();
    return recorder;
  }

  async close(): Promise<void> {
    this.end();
    await this.connection.close();
  }

  override async store(objectKey: string, film: Buffer): Promise<void> {
    await this.bucket.put(objectKey, film, 'video/mp4');
  }

  protected override async send({ id, event, egressInfo }: EgressEvent, webhook: object): Promise<boolean> {
    await jetstream(this.connection).publish(liveKitSubject(event, egressInfo.roomName), JSON.stringify(webhook), {
      msgID: id,
      timeout: 1_000,
    });
    return true;
  }

  protected override changed(): void {
    const { isUnreachable, slots } = this.behaviour;
    const isAvailable = !isUnreachable && slots > 0;
    if (isAvailable && !this.isFull) this.start ??= this.listen(recorderRpc.start.subject, (message) => this.take(message));
    else this.start = unsubscribe(this.start);
    if (isAvailable) this.merge ??= this.listen(recorderRpc.merge.subject, (message) => this.join(message));
    else this.merge = unsubscribe(this.merge);
    if (isAvailable) this.health ??= this.listen(healthRpc('recorder').subject, () => ({ dependencies: {} }));
    else this.health = unsubscribe(this.health);
    for (const capture of this.captures) this.attend(capture, !isUnreachable && !capture.isGone);
  }

  /** Serves a capture's subjects while it is made. Once its end was delivered, no recorder knows it. */
  private attend(capture: Capture, isAvailable: boolean): void {
    const { egressId } = capture.order;
    const isHeard = isOver(capture.status) && capture.isReporting;
    const forget = () => {
      this.own.get(capture)?.forEach(unsubscribe);
      this.own.delete(capture);
    };
    if (!isAvailable) return forget();
    if (isHeard) return void this.settled().then(forget);
    if (this.own.has(capture)) return;
    const on = (contract: { subject: string }, work: () => object) => this.listen(captureSubject(contract, egressId), work);
    const stop = on(recorderRpc.stop, () => {
      capture.stop();
      return { egressId };
    });
    this.own.set(capture, [stop, on(recorderRpc.describe, () => ({ egressInfo: capture.toMessage() }))]);
  }

  private async take(message: Msg): Promise<object | undefined> {
    const { acceptsAfterMs, losesAnswers } = this.behaviour;
    const job: CaptureJob = recorderRpc.start.input.parse(message.json());
    await sleep(acceptsAfterMs);
    if (this.isFull) throw new AppError('SERVICE_UNAVAILABLE');
    const { egressId, sid, objectKey, layout } = job;
    this.begin({ egressId, sid, objectKey, layout, request: job });
    await this.connection.flush();
    return losesAnswers ? undefined : { egressId };
  }

  /** Begins a merge, which a test ends like a capture. */
  private async join(message: Msg): Promise<object> {
    const { egressId, sid, objectKey, layout } = recorderRpc.merge.input.parse(message.json());
    this.begin({ egressId, sid, objectKey, layout, request: {} });
    await this.connection.flush();
    return { egressId };
  }

  /** Replies with the result of `work`; undefined: no reply. */
  private listen(subject: string, work: (message: Msg) => object | undefined | Promise<object | undefined>): Subscription {
    return this.connection.subscribe(subject, {
      queue: QUEUE,
      callback: (error, message) => {
        if (!error) void this.reply(message, work);
      },
    });
  }

  private async reply(message: Msg, work: (message: Msg) => object | undefined | Promise<object | undefined>): Promise<void> {
    try {
      const data = await work(message);
      if (data) message.respond(JSON.stringify({ data }));
    } catch (error) {
      const refusal = error instanceof AppError ? error : new AppError('INTERNAL_ERROR', { cause: error });
      message.respond(JSON.stringify({ error: refusal.toReply() }));
    }
  }
}

function unsubscribe(subscription: Subscription | undefined): undefined {
  subscription?.unsubscribe();
}

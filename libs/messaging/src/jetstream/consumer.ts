import { headers } from '@nats-io/transport-node';
import type { ConsumerMessages, JetStreamClient, JsMsg } from '@nats-io/jetstream';
import { AppError, type ConsumerDeclaration } from '@classroom/contracts';
import { isUnreachable } from '@classroom/persistence/sql';
import { durationHistogram, inSpans, logger, SpanKind, type MessageScope, type Task } from '@classroom/platform';
import { applyConsumer } from '../streams/apply-streams.js';
import { observeConsumer } from './consumer-gauges.js';
import { Lanes } from './lanes.js';

const duration = durationHistogram('messaging.process.duration', 'Messages processed, by consumer and outcome');
/** Messages requested by one pull from JetStream. */
const PREFETCH = 256;
/**
 * Messages that are read but not started. Large enough that a burst of one key does not block the other keys behind it. Less than
 * `max_ack_pending`.
 */
const MAX_WAITING = 4_096;
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
/** How often the consumer extends the ack wait of waiting messages: well within the consumer's `ack_wait`. */
const EXTEND_ACK_WAIT_MS = 5_000;
const MAX_FAILURES = 8;
/**
 * Milliseconds between the starts of two batches. A batch has a fixed cost, such as its commit. Without a pause, a consumer under load handles
 * batches of a few messages and uses the processor that would have let more arrive. A full batch and a message after a quiet period do not wait.
 */
const MIN_BATCH_INTERVAL_MS = 100;
const UNREACHABLE_PAUSE_MS = 1_000;
const RESTART_PAUSE_MS = 500;

/** A message and the span of its handling. What the message causes carries on the trace. */
export interface Delivery<B> extends MessageScope {
  body: B;
}

/** A message without a trace. */
export const untraced = <B>(body: B): Delivery<B> => ({ body, traceparent: null, annotate: () => undefined });

export interface ConsumerOptions<B> {
  declaration: ConsumerDeclaration;
  /** Messages of one key are handled in order; different keys take turns. */
  keyOf: (body: B) => string;
  /** Maximum number of batches in progress at the same time. Their keys differ. */
  concurrency: number;
  /** Maximum number of messages in a batch. With 1, no message waits; otherwise batches that are not full begin 100 ms apart. */
  batchSize: number;
  /**
   * Handles a batch as a whole, or fails as a whole; after its transaction has committed it returns, and the messages are acknowledged. The
   * messages of one key are in their order.
   */
  handle: (deliveries: readonly Delivery<B>[]) => Promise<void>;
}

interface Received<B> {
  message: JsMsg;
  body: B;
}

/**
 * A durable pull consumer. It acknowledges the messages of a batch after `handle`. If a dependency is unreachable (SERVICE_UNAVAILABLE), it
 * pauses all messages and does not count the attempt. After any other failure of a batch, it handles its messages one by one, so that one bad
 * message does not hold up the others. A message that fails alone, including by a statement timeout, is retried with back-off; after 8
 * failures it goes to the DLQ stream.
 */
export class DurableConsumer<B> implements Task {
  private messages: ConsumerMessages | undefined;
  private readonly lanes = new Lanes<Received<B>>();
  private readonly inProgress = new Set<Promise<void>>();
  /** Messages that wait or are in progress, by stream sequence. JetStream may redeliver one of them in the meantime. */
  private readonly held = new Map<number, JsMsg>();
  private readonly failures = new Map<number, number>();
  private roomFor: (() => void) | undefined;
  private keeping: NodeJS.Timeout | undefined;
  private pause: NodeJS.Timeout | undefined;
  /** When the last batch began, in milliseconds of the process's monotonic clock. */
  private begunAt = -Infinity;
  private next: NodeJS.Timeout | undefined;
  private stopped = false;
  private done: Promise<void> = Promise.resolve();

  constructor(
    private readonly jetstream: JetStreamClient,
    private readonly options: ConsumerOptions<B>,
  ) {
    observeConsumer(jetstream, options.declaration);
  }

  start(): void {
    this.keeping = setInterval(() => this.extendAckWait(), EXTEND_ACK_WAIT_MS);
    this.done = this.run();
  }

  /** Returns messages that were not started, so that another process can take them immediately. Resolves when the started ones are done. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.keeping);
    clearTimeout(this.pause);
    clearTimeout(this.next);
    await this.messages?.close();
    for (const { message } of this.lanes.clear()) message.nak();
    this.roomFor?.();
    await this.done;
    await Promise.all(this.inProgress);
  }

  private async run(): Promise<void> {
    const { declaration } = this.options;
    const { stream, durable } = declaration;
    while (!this.stopped) {
      try {
        if (declaration.isOptional) await applyConsumer(await this.jetstream.jetstreamManager(false), declaration);
        const consumer = await this.jetstream.consumers.get(stream, durable);
        this.messages = await consumer.consume({ max_messages: PREFETCH, abort_on_missing_resource: true });
        for await (const message of this.messages) {
          this.receive(message);
          await this.room();
        }
      } catch (error) {
        if (!this.stopped) logger.warn({ err: error, consumer: durable }, 'consumer interrupted; restarting');
      }
      if (!this.stopped) await sleep(RESTART_PAUSE_MS);
    }
  }

  /** Waits until there is room for one more message. */
  private async room(): Promise<void> {
    while (!this.stopped && (this.lanes.count >= MAX_WAITING || this.lanes.bytes >= MAX_WAITING_BYTES)) {
      await new Promise<void>((resolve) => (this.roomFor = resolve));
    }
  }

  private receive(message: JsMsg): void {
    if (this.stopped) return message.nak();
    // Redelivered while its first copy waits: the acknowledgement of that copy counts for both.
    if (this.held.has(message.seq)) return;
    const body = bodyOf(message) as B | undefined;
    if (body === undefined) {
      void this.setAside(message, new Error('not a JSON object'), 1);
      return;
    }
    this.held.set(message.seq, message);
    this.lanes.add({ key: this.options.keyOf(body), item: { message, body }, size: message.data.length });
    this.begin();
  }

  /** Starts as many batches of waiting messages as `concurrency` allows. */
  private begin(): void {
    while (!this.stopped && !this.pause && this.inProgress.size < this.options.concurrency) {
      if (this.waitsForMore()) return;
      const batch = this.lanes.take(this.options.batchSize);
      if (batch.length === 0) return;
      this.begunAt = performance.now();
      const work = this.process(batch.map(({ item }) => item)).finally(() => {
        this.inProgress.delete(work);
        for (const { key, item } of batch) {
          this.held.delete(item.message.seq);
          this.lanes.release(key);
        }
        this.roomFor?.();
        this.begin();
      });
      this.inProgress.add(work);
    }
  }

  /** Whether the next batch is not full and follows the last one too closely. It then begins later. */
  private waitsForMore(): boolean {
    const { batchSize } = this.options;
    if (batchSize === 1 || this.lanes.count === 0 || this.lanes.count >= batchSize) return false;
    const waitMs = this.begunAt + MIN_BATCH_INTERVAL_MS - performance.now();
    if (waitMs <= 0) return false;
    this.next ??= setTimeout(() => {
      this.next = undefined;
      this.begin();
    }, waitMs);
    return true;
  }

  private extendAckWait(): void {
    for (const message of this.held.values()) message.working();
  }

  private pauseAll(): void {
    clearTimeout(this.pause);
    if (this.stopped) return;
    this.pause = setTimeout(() => {
      this.pause = undefined;
      this.begin();
    }, UNREACHABLE_PAUSE_MS);
  }

  private async process(batch: readonly Received<B>[]): Promise<void> {
    const failure = await this.attempt(batch);
    if (failure === undefined) return;
    if (isUnreachable(failure.error)) {
      this.pauseAll();
      for (const { message } of batch) message.nak(UNREACHABLE_PAUSE_MS);
      return;
    }
    const [only] = batch;
    if (batch.length === 1 && only) return this.fail(only.message, failure.error);
    logger.warn({ err: failure.error, consumer: this.durable, messages: batch.length }, 'batch could not be processed; one by one');
    // In their order, and each ends by itself: acknowledged, to be retried, or set aside.
    for (const received of batch) {
      if (this.pause) received.message.nak(UNREACHABLE_PAUSE_MS);
      else await this.process([received]);
    }
  }

  /** Handles the messages as one batch and acknowledges them. @returns the failure, if there was one */
  private async attempt(batch: readonly Received<B>[]): Promise<{ error: unknown } | undefined> {
    const started = performance.now();
    const spans = batch.map(({ message }) => ({
      traceparent: message.headers?.get('traceparent') || null,
      attributes: this.attributesOf(message),
    }));
    let outcome = 'OK';
    try {
      await inSpans(`process ${this.durable}`, { kind: SpanKind.CONSUMER }, spans, (scopes) =>
        this.options.handle(batch.map(({ body }, index) => ({ ...untraced(body), ...scopes[index] }))),
      );
      for (const { message } of batch) {
        this.failures.delete(message.seq);
        message.ack();
      }
      return undefined;
    } catch (error) {
      outcome = error instanceof AppError ? error.code : 'INTERNAL_ERROR';
      return { error };
    } finally {
      const seconds = (performance.now() - started) / 1000;
      for (let n = 0; n < batch.length; n += 1) duration.record(seconds, { consumer: this.durable, outcome });
    }
  }

  private get durable(): string {
    return this.options.declaration.durable;
  }

  private attributesOf(message: JsMsg) {
    return {
      'messaging.system': 'nats',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': this.options.declaration.stream,
      'messaging.destination.subscription.name': this.durable,
      'messaging.message.id': message.headers?.get('Nats-Msg-Id') ?? '',
    };
  }

  private async fail(message: JsMsg, error: unknown): Promise<void> {
    const failures = (this.failures.get(message.seq) ?? 0) + 1;
    this.failures.set(message.seq, failures);
    logger.error({ err: error, consumer: this.durable, sequence: message.seq, failures }, 'message could not be processed');
    if (failures < MAX_FAILURES) {
      message.nak(Math.min(100 * 2 ** failures, 5_000));
      return;
    }
    await this.setAside(message, error, failures);
  }

  private async setAside(message: JsMsg, error: unknown, attempts: number): Promise<void> {
    const { stream, durable } = this.options.declaration;
    const sent = headers();
    sent.set('original-subject', message.subject);
    sent.set('original-sequence', String(message.seq));
    sent.set('attempts', String(attempts));
    const traceparent = message.headers?.get('traceparent');
    if (traceparent) sent.set('traceparent', traceparent);
    sent.set('reason', (error instanceof Error ? error.message : String(error)).replaceAll(/[\r\n]+/g, ' ').slice(0, 500));
    try {
      const msgID = `${durable}:${message.seq}`;
      await this.jetstream.publish(`dlq.${stream}.${durable}`, message.data, { msgID, headers: sent });
      this.failures.delete(message.seq);
      message.term('set aside in DLQ');
    } catch {
      message.nak(UNREACHABLE_PAUSE_MS);
    }
  }
}

/** The options of a consumer that handles each message alone. */
export const oneByOne = <B>(handle: (body: B) => Promise<void>): Pick<ConsumerOptions<B>, 'batchSize' | 'handle'> => ({
  batchSize: 1,
  handle: async (deliveries) => {
    for (const { body } of deliveries) await handle(body);
  },
});

/** The JSON object that was published. Any other content would fail on every attempt. */
function bodyOf(message: JsMsg): unknown {
  try {
    const body = message.json<unknown>();
    return typeof body === 'object' && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

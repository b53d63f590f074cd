import { headers } from '@nats-io/transport-node';
import type { ConsumerMessages, JetStreamClient, JsMsg } from '@nats-io/jetstream';
import { AppError, type ConsumerDeclaration } from '@classroom/contracts';
import { durationHistogram, extractTrace, inSpan, logger, SpanKind, type Task } from '@classroom/platform';
import { observeConsumer } from './consumer-gauges.js';

const duration = durationHistogram('messaging.process.duration', 'Messages processed, by consumer and outcome');
const PREFETCH = 256;
const MAX_FAILURES = 8;
const AWAY_PAUSE_MS = 1_000;
const RESTART_PAUSE_MS = 500;

export interface ConsumerOptions<B> {
  declaration: ConsumerDeclaration;
  /** Messages of one key are handled in order, one at a time; different keys side by side. */
  keyOf: (body: B) => string;
  concurrency: number;
  /** Returns after its transaction has committed: then the message is acknowledged. */
  handle: (body: B) => Promise<void>;
}

/**
 * A durable pull consumer. Acknowledges after `handle`. A part that is away (SERVICE_UNAVAILABLE) pauses everything and
 * counts for nothing; any other failure is tried 8 times with back-off and then set aside in the DLQ stream.
 */
export class DurableConsumer<B> implements Task {
  private messages: ConsumerMessages | undefined;
  private readonly lanes = new Map<string, Promise<void>>();
  private readonly failures = new Map<number, number>();
  private inFlight = 0;
  private waiting: (() => void) | undefined;
  private pausedUntil = 0;
  private stopped = false;
  private done: Promise<void> = Promise.resolve();

  constructor(
    private readonly jetstream: JetStreamClient,
    private readonly options: ConsumerOptions<B>,
  ) {
    observeConsumer(jetstream, options.declaration);
  }

  start(): void {
    this.done = this.run();
  }

  /** Takes nothing new and resolves when what was taken is done. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.messages?.close();
    this.waiting?.();
    await this.done;
    await Promise.all(this.lanes.values());
  }

  private async run(): Promise<void> {
    const { stream, durable } = this.options.declaration;
    while (!this.stopped) {
      try {
        const consumer = await this.jetstream.consumers.get(stream, durable);
        this.messages = await consumer.consume({ max_messages: PREFETCH, abort_on_missing_resource: true });
        for await (const message of this.messages) {
          await this.room();
          this.dispatch(message);
        }
      } catch (error) {
        if (!this.stopped) logger.warn({ err: error, consumer: durable }, 'consumer was interrupted; it starts again');
      }
      if (!this.stopped) await sleep(RESTART_PAUSE_MS);
    }
  }

  /** Waits until there is room for one more, and for the end of a pause. */
  private async room(): Promise<void> {
    while (!this.stopped && this.inFlight >= this.options.concurrency) {
      await new Promise<void>((resolve) => (this.waiting = resolve));
    }
    const pause = this.pausedUntil - Date.now();
    if (pause > 0) await sleep(pause);
  }

  private dispatch(message: JsMsg): void {
    const body = bodyOf(message) as B | undefined;
    if (body === undefined) {
      void this.setAside(message, new Error('not JSON'));
      return;
    }
    this.inFlight += 1;
    const key = this.options.keyOf(body);
    const before = this.lanes.get(key) ?? Promise.resolve();
    const work = before
      .then(() => this.process(message, body))
      .finally(() => {
        this.inFlight -= 1;
        if (this.lanes.get(key) === work) this.lanes.delete(key);
        this.waiting?.();
      });
    this.lanes.set(key, work);
  }

  private async process(message: JsMsg, body: B): Promise<void> {
    const { stream, durable } = this.options.declaration;
    const started = performance.now();
    const traceparent = message.headers?.get('traceparent');
    const parent = extractTrace(traceparent ? { traceparent } : {});
    const attributes = {
      'messaging.system': 'nats',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': stream,
      'messaging.destination.subscription.name': durable,
      'messaging.message.id': message.headers?.get('Nats-Msg-Id') ?? '',
    };
    let outcome = 'OK';
    try {
      await inSpan(`process ${durable}`, { kind: SpanKind.CONSUMER, parent, attributes }, () =>
        this.options.handle(body),
      );
      this.failures.delete(message.seq);
      message.ack();
    } catch (error) {
      outcome = error instanceof AppError ? error.code : 'INTERNAL_ERROR';
      await this.fail(message, error);
    }
    duration.record((performance.now() - started) / 1000, { consumer: durable, outcome });
  }

  private async fail(message: JsMsg, error: unknown): Promise<void> {
    const { durable } = this.options.declaration;
    if (error instanceof AppError && error.kind === 'unavailable') {
      this.pausedUntil = Date.now() + AWAY_PAUSE_MS;
      message.nak(AWAY_PAUSE_MS);
      return;
    }
    const failures = (this.failures.get(message.seq) ?? 0) + 1;
    this.failures.set(message.seq, failures);
    logger.error({ err: error, consumer: durable, sequence: message.seq, failures }, 'a message could not be processed');
    if (failures < MAX_FAILURES) {
      message.nak(Math.min(100 * 2 ** failures, 5_000));
      return;
    }
    await this.setAside(message, error);
  }

  private async setAside(message: JsMsg, error: unknown): Promise<void> {
    const { stream, durable } = this.options.declaration;
    const sent = headers();
    sent.set('original-subject', message.subject);
    sent.set('original-sequence', String(message.seq));
    sent.set('reason', (error instanceof Error ? error.message : String(error)).replaceAll(/[\r\n]+/g, ' ').slice(0, 500));
    try {
      const msgID = `${durable}:${message.seq}`;
      await this.jetstream.publish(`dlq.${stream}.${durable}`, message.data, { msgID, headers: sent });
      this.failures.delete(message.seq);
      message.term('set aside in DLQ');
    } catch {
      message.nak(AWAY_PAUSE_MS);
    }
  }
}

/** What was published as JSON; nothing else ever succeeds, however often it is tried. */
function bodyOf(message: JsMsg): unknown {
  try {
    return message.json();
  } catch {
    return undefined;
  }
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

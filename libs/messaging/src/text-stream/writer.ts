import { headers, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { AppError } from '@classroom/contracts';
import { logger } from '@classroom/platform';
import { controlSubject } from '../connection.js';
import {
  FRAME_KIND,
  FRAME_NUMBER,
  HEARTBEAT_MS,
  INITIAL_CREDITS,
  MAX_FRAME_BYTES,
  SILENCE_MS,
  type ControlMessage,
  type FrameKind,
} from './protocol.js';

const encoder = new TextEncoder();

/** The source of the text. The signal fires when the reader cancels or falls silent; the source must then stop waiting. */
export type TextSource = (signal: AbortSignal) => AsyncIterable<string>;

/**
 * Starts to send the source's text to `inbox`. It reads the source only as fast as the reader takes frames, and ends it
 * (`return()`, and its signal) when the reader cancels or falls silent.
 * @returns the control subject for the reply, and a promise that settles when everything is sent or given up
 */
export function startTextStream(connection: NatsConnection, inbox: string, source: TextSource): { control: string; done: Promise<void> } {
  const writer = new Writer(connection, inbox);
  return { control: writer.control, done: writer.run(source) };
}

class Writer {
  readonly control: string;
  private credits = INITIAL_CREDITS;
  private frame = 0;
  private heardAt = Date.now();
  private readonly cancellation = new AbortController();
  private wake: () => void = () => undefined;
  private readonly subscription: Subscription;

  constructor(
    private readonly connection: NatsConnection,
    private readonly inbox: string,
  ) {
    this.control = controlSubject(connection);
    this.subscription = connection.subscribe(this.control, {
      callback: (error, message) => {
        if (!error) this.receive(message.json<ControlMessage>());
      },
    });
  }

  async run(source: TextSource): Promise<void> {
    const { signal } = this.cancellation;
    const heart = setInterval(() => this.beat(), HEARTBEAT_MS);
    try {
      for await (const part of source(signal)) {
        for (const frame of framesOf(part)) await this.send(frame);
        if (signal.aborted) return;
      }
      if (signal.aborted) return;
      this.publish('end');
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof AppError)) logger.error({ err: error }, 'stream failed');
      const known = error instanceof AppError ? error : new AppError('INTERNAL_ERROR');
      this.publish('error', encoder.encode(JSON.stringify(known.toReply())));
    } finally {
      clearInterval(heart);
      this.subscription.unsubscribe();
    }
  }

  private get isCancelled(): boolean {
    return this.cancellation.signal.aborted;
  }

  private receive(message: ControlMessage): void {
    this.heardAt = Date.now();
    if ('credits' in message) this.credits += message.credits;
    if ('cancel' in message) this.cancellation.abort();
    this.wake();
  }

  private async send(frame: Uint8Array): Promise<void> {
    while (this.credits <= 0 && !this.isCancelled) await new Promise<void>((resolve) => (this.wake = resolve));
    if (this.isCancelled) return;
    this.credits -= 1;
    this.publish('data', frame);
  }

  private beat(): void {
    if (Date.now() - this.heardAt > SILENCE_MS) {
      this.cancellation.abort();
      this.wake();
      return;
    }
    this.publish('beat');
  }

  private publish(kind: FrameKind, body: Uint8Array = new Uint8Array()): void {
    const sent = headers();
    sent.set(FRAME_KIND, kind);
    if (kind !== 'beat') sent.set(FRAME_NUMBER, String(this.frame++));
    try {
      this.connection.publish(this.inbox, body, { headers: sent });
    } catch {
      // The connection is closed permanently, so no reader is left.
      this.cancellation.abort();
      this.wake();
    }
  }
}

function* framesOf(text: string): Generator<Uint8Array> {
  const bytes = encoder.encode(text);
  for (let at = 0; at < bytes.length; at += MAX_FRAME_BYTES) yield bytes.subarray(at, at + MAX_FRAME_BYTES);
}

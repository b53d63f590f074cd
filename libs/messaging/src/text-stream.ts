import { setTimeout as sleep } from 'node:timers/promises';
import { headers, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { AppError, type ErrorReply } from '@classroom/contracts';
import { InBackground, logger, ShutdownDeadline, type Task } from '@classroom/platform';
import { Inject, Injectable } from '@nestjs/common';
import { controlSubject, NATS, readerSubject } from './connection.js';

/**
 * A stream over core NATS for data that is too large for one reply (CSV, tokens of a model). The reader opens it by RPC and sends
 * its inbox; the writer answers with a control subject. Frames are numbered and have at most 32 KiB. Each frame uses one credit;
 * the reader returns credits when its own consumer (an HTTP socket) has taken the frames. A side that receives nothing for 10 s
 * gives up. A gap in the numbers ends the stream with SERVICE_UNAVAILABLE.
 */

/** A frame that reaches the reader in several reads of its socket is copied, so a frame is smaller than a read (64 KiB). */
const MAX_FRAME_BYTES = 32 * 1024;
const INITIAL_CREDITS = 32;
/** Credits that the reader returns together. */
const RETURNED_CREDITS = 8;
const HEARTBEAT_MS = 2_000;
const SILENCE_MS = 10_000;

/** Headers of a frame. `kind` is data, beat, end or error (its body is an ErrorReply). */
export const FRAME_NUMBER = 'frame';
export const FRAME_KIND = 'kind';
type FrameKind = 'data' | 'beat' | 'end' | 'error';

/** What the reader sends on the control subject. */
type ControlMessage = { credits: number } | { cancel: true } | { beat: true };

/**
 * Opens a stream and yields its bytes. `open` makes the RPC that starts it and returns the control subject. Leaving the loop
 * early cancels the source. So does the signal: it takes effect immediately, even while nothing arrives.
 * @throws AppError of the writer, or SERVICE_UNAVAILABLE after a gap, after 10 s of silence or on the signal
 */
export async function* readTextStream(
  connection: NatsConnection,
  open: (inbox: string) => Promise<string>,
  signal?: AbortSignal,
  inbox = readerSubject(connection),
): AsyncGenerator<Uint8Array> {
  const frames = new FrameQueue();
  const subscription = connection.subscribe(inbox, { callback: (error, message) => frames.push(error ?? message) });
  let control: string | undefined;
  const send = (message: ControlMessage) => {
    // Of a closed connection the writer gets no heartbeat either.
    if (control && !connection.isClosed()) connection.publish(control, JSON.stringify(message));
  };
  const heart = setInterval(() => send({ beat: true }), HEARTBEAT_MS);
  let ended = false;
  let taken = 0;
  const abandon = () => {
    send({ cancel: true });
    frames.push(new Error('the reader went away'));
  };
  signal?.addEventListener('abort', abandon, { once: true });
  try {
    control = await open(inbox);
    if (signal?.aborted) abandon();
    for (;;) {
      const message = await frames.next();
      const kind = message.headers?.get(FRAME_KIND);
      if (kind === 'beat') continue;
      frames.expect(Number(message.headers?.get(FRAME_NUMBER)));
      if (kind === 'end') {
        ended = true;
        return;
      }
      if (kind === 'error') {
        ended = true;
        throw AppError.fromReply(message.json<ErrorReply>());
      }
      yield message.data;
      // The reader asks for the next frame, so it has taken this one.
      taken += 1;
      if (taken < RETURNED_CREDITS) continue;
      send({ credits: taken });
      taken = 0;
    }
  } finally {
    clearInterval(heart);
    signal?.removeEventListener('abort', abandon);
    subscription.unsubscribe();
    if (!ended) send({ cancel: true });
  }
}

/** A stream whose first frame was read, because an error before it is an ordinary answer. Ending it ends the rest. */
export async function* startingWith(first: IteratorResult<Uint8Array>, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (!first.done) yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

class FrameQueue {
  private readonly waiting: (Msg | Error)[] = [];
  private wake: () => void = () => undefined;
  private number = 0;

  push(message: Msg | Error): void {
    this.waiting.push(message);
    this.wake();
  }

  /** @throws AppError SERVICE_UNAVAILABLE if nothing arrives in time, not even a heartbeat */
  async next(): Promise<Msg> {
    if (this.waiting.length === 0) await this.arrival();
    const message = this.waiting.shift();
    if (!message || message instanceof Error) throw new AppError('SERVICE_UNAVAILABLE', { cause: message });
    return message;
  }

  /** @throws AppError SERVICE_UNAVAILABLE if a frame was lost */
  expect(number: number): void {
    if (number !== this.number++) throw new AppError('SERVICE_UNAVAILABLE', { message: 'A part of the answer was lost; ask again' });
  }

  private async arrival(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      timer = setTimeout(resolve, SILENCE_MS);
    });
    clearTimeout(timer);
  }
}

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

/** Time for the process to close the sources of its streams, in milliseconds. */
const END_MS = 2_000;

/** The streams that this process sends. An orderly stop lets the readers read them to the end. */
@Injectable()
@InBackground('any')
export class TextStreams implements Task {
  private readonly inProgress = new Set<Promise<void>>();

  constructor(
    @Inject(NATS) private readonly connection: NatsConnection,
    private readonly grace: ShutdownDeadline,
  ) {}

  start(): void {}

  async stop(): Promise<void> {
    await Promise.race([Promise.all(this.inProgress), sleep(this.grace.remaining(END_MS), undefined, { ref: false })]);
  }

  /** @returns the answer for the caller that gave the inbox */
  open(inbox: string, source: TextSource): { control: string } {
    const { control, done } = startTextStream(this.connection, inbox, source);
    this.inProgress.add(done);
    void done.finally(() => this.inProgress.delete(done));
    return { control };
  }
}

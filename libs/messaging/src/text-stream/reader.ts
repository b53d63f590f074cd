import { createInbox, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { AppError, type ErrorReply } from '@classroom/contracts';
import { FRAME_KIND, FRAME_NUMBER, HEARTBEAT_MS, RETURNED_CREDITS, SILENCE_MS, type ControlMessage } from './protocol.js';

/**
 * Opens a stream and yields its bytes. `open` makes the RPC that starts it and returns the control subject. Leaving the loop
 * early cancels the source. So does the signal: it takes effect immediately, even while nothing arrives.
 * @throws AppError of the writer, or SERVICE_UNAVAILABLE after a gap, after 10 s of silence or on the signal
 */
export async function* readTextStream(
  connection: NatsConnection,
  open: (inbox: string) => Promise<string>,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const frames = new FrameQueue();
  const inbox = createInbox();
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

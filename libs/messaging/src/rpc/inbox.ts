import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import { replySubject } from '../connection.js';

/**
 * Runs the added sends together, after the events at hand have been handled. nats.js flushes in a microtask, so everything that
 * is published in one go leaves in one write. Under load, the system calls here and at the receiver are most of the cost of a
 * request.
 */
export class Batch {
  private sends: (() => void)[] = [];

  /** `send` must not throw. */
  add(send: () => void): void {
    if (this.sends.push(send) === 1) setImmediate(() => this.flush());
  }

  flush(): void {
    const { sends } = this;
    this.sends = [];
    for (const send of sends) send();
  }
}

/** The subject has no subscriber: no process received the request. */
export class NoRespondersError extends Error {}

/** No answer arrived in time. Whether the request was received is unknown. */
export class NoAnswerError extends Error {}

interface Waiting {
  resolve: (message: Msg) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

const NO_RESPONDERS = 503;

/**
 * Requests over one shared inbox. `connection.request` does the same, but creates an error with its stack trace for every answer
 * (nats-core 3.4, RequestOne.cancel) and writes each request separately.
 */
export class Inbox {
  private readonly prefix: string;
  private readonly waiting = new Map<string, Waiting>();
  private readonly batch = new Batch();
  private last = 0;

  constructor(private readonly connection: NatsConnection) {
    this.prefix = `${replySubject(connection)}.`;
    connection.subscribe(`${this.prefix}*`, {
      callback: (error, message) => {
        if (!error) this.take(message);
      },
    });
    void connection.closed().then(() => this.rejectAll());
  }

  /** @throws NoRespondersError, NoAnswerError after `timeoutMs` (milliseconds), or nats.js's error if the message is too large */
  request(subject: string, body: string, headers: MsgHdrs, timeoutMs: number): Promise<Msg> {
    return new Promise((resolve, reject) => {
      const token = (this.last += 1).toString(36);
      const fail = (error: Error) => this.forget(token)?.reject(error);
      const timer = setTimeout(() => fail(new NoAnswerError(`no answer in ${timeoutMs} ms`)), timeoutMs);
      this.waiting.set(token, { resolve, reject, timer });
      this.batch.add(() => {
        try {
          this.connection.publish(subject, body, { reply: this.prefix + token, headers });
        } catch (error) {
          fail(error as Error);
        }
      });
    });
  }

  /** Publishes without an answer, in the order of the requests. A failure is not reported: the request that follows reports it. */
  publish(subject: string, body: string, headers: MsgHdrs): void {
    this.batch.add(() => {
      try {
        this.connection.publish(subject, body, { headers });
      } catch {
        // The connection is closed, or the message too large.
      }
    });
  }

  /** The connection is closed for good: no answer can arrive, so nothing waits for its timeout. */
  private rejectAll(): void {
    for (const token of this.waiting.keys()) this.forget(token)?.reject(new NoAnswerError('the connection is closed'));
  }

  private take(message: Msg): void {
    const waiting = this.forget(message.subject.slice(this.prefix.length));
    const hasNoResponder = message.data.length === 0 && message.headers?.code === NO_RESPONDERS;
    if (hasNoResponder) waiting?.reject(new NoRespondersError());
    else waiting?.resolve(message);
  }

  private forget(token: string): Waiting | undefined {
    const waiting = this.waiting.get(token);
    this.waiting.delete(token);
    clearTimeout(waiting?.timer);
    return waiting;
  }
}

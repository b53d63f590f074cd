import { Inject, Injectable } from '@nestjs/common';
import { errors, headers, nuid, type Msg, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { Batcher, inSpans, SpanKind } from '@classroom/platform';
import { Inbox, NoAnswerError, NoRespondersError } from '../rpc/inbox.js';
import { NATS } from '../connection.js';

const TIMEOUT_MS = 2_000;
/** JetStream accepts at most 1,000 messages in a batch. */
const MAX_BATCH_SIZE = 500;
/**
 * The server keeps a batch in files of its own until the last message: storing one takes it 6 ms, a message by itself 0.5 ms (nats-server 2.15, with
 * an fsync for each). Fewer messages than this are stored sooner by themselves.
 */
const MIN_BATCH_SIZE = 10;

export interface Message {
  stream: string;
  subject: string;
  body: string;
  /** JetStream stores a message with the same id only once within the stream's duplicate window. */
  id: string;
  /** W3C trace context of the work that caused it; undefined: the active span. */
  traceparent?: string | null;
  /** Seconds after which the stream deletes the message; undefined: with its other messages. */
  ttlSeconds?: number | undefined;
}

/** The stream does not store the message. */
export class StreamRefusalError extends Error {
  /** @param code JetStream's number of the error */
  constructor(
    message: string,
    readonly code: number,
  ) {
    super(message);
  }
}

/** Publishes messages to streams, and waits until the stream has stored them. */
@Injectable()
export class StreamPublisher {
  private readonly inbox: Inbox;

  constructor(@Inject(NATS) connection: NatsConnection) {
    this.inbox = new Inbox(connection);
  }

  /**
   * Resolves when the stream has stored the message.
   * @throws StreamRefusalError, NoRespondersError, NoAnswerError (after 2 s), or nats.js's error if the message is too large or the connection is
   * closed
   */
  async publish(message: Message): Promise<void> {
    await inSpansOf([message], async ([traceparent]) => {
      await this.request(message, headersOf(message, traceparent));
    });
  }

  /**
   * Publishes messages of one stream, in their order, and resolves when each is stored or has failed. Ten or more are sent as one atomic batch, which
   * the server writes to its disk once. If the server refuses the batch, for example because it already has one of the messages, each is sent by itself.
   */
  async publishAll(messages: readonly Message[]): Promise<PromiseSettledResult<void>[]> {
    const results: PromiseSettledResult<void>[] = [];
    for (let from = 0; from < messages.length; from += MAX_BATCH_SIZE) {
      for (const result of await this.publishSome(messages.slice(from, from + MAX_BATCH_SIZE))) results.push(result);
    }
    return results;
  }

  private async publishSome(messages: readonly Message[]): Promise<PromiseSettledResult<void>[]> {
    if (messages.length >= MIN_BATCH_SIZE) {
      try {
        await inSpansOf(messages, (traceparents) => this.publishBatch(messages, traceparents));
        return messages.map(() => ({ status: 'fulfilled', value: undefined }));
      } catch (reason) {
        // Sending each by itself would only wait for as many timeouts.
        if (isUnreachable(reason)) return messages.map(() => ({ status: 'rejected', reason }));
      }
    }
    return Promise.allSettled(messages.map((message) => this.publish(message)));
  }

  /**
   * NATS ADR-50, in one flight. The server answers the last message for all. `startBatch` of nats.js waits for an answer to the first message before
   * it sends the others.
   */
  private async publishBatch(messages: readonly Message[], traceparents: readonly (string | null)[]): Promise<void> {
    const batchId = nuid.next();
    const sent = messages.map((message, index) => {
      const of = headersOf(message, traceparents[index]);
      of.set('Nats-Batch-Id', batchId);
      of.set('Nats-Batch-Sequence', String(index + 1));
      return { ...message, headers: of };
    });
    const last = sent.pop();
    if (!last) return;
    for (const { subject, body, headers: of } of sent) this.inbox.publish(subject, body, of);
    last.headers.set('Nats-Batch-Commit', '1');
    await this.request(last, last.headers);
  }

  private async request({ subject, body }: Message, of: MsgHdrs): Promise<void> {
    const answer = await this.inbox.request(subject, body, of, TIMEOUT_MS);
    const { error } = readAnswer(answer);
    if (error) throw new StreamRefusalError(error.description ?? 'refused', error.err_code ?? 0);
  }
}

/** Publishes the messages of many callers: those that arrive while a batch is on its way leave together in the next one. */
export class GroupedPublisher {
  private readonly batcher: Batcher<Message, void>;

  constructor(publisher: StreamPublisher) {
    this.batcher = new Batcher(MAX_BATCH_SIZE, (messages) => publisher.publishAll(messages));
  }

  /** As `StreamPublisher.publish`. All messages are of one stream. */
  publish(message: Message): Promise<void> {
    return this.batcher.add(message);
  }
}

const readAnswer = (answer: Msg) => answer.json<{ error?: { err_code?: number; description?: string } }>();

function headersOf({ id, ttlSeconds }: Message, traceparent: string | null | undefined): MsgHdrs {
  const sent = headers();
  sent.set('Nats-Msg-Id', id);
  if (ttlSeconds !== undefined) sent.set('Nats-TTL', `${ttlSeconds}s`);
  if (traceparent) sent.set('traceparent', traceparent);
  return sent;
}

function inSpansOf(messages: readonly Message[], work: (traceparents: (string | null)[]) => Promise<void>): Promise<void> {
  const spans = messages.map(({ stream, id, traceparent }) => ({
    traceparent,
    attributes: {
      'messaging.system': 'nats',
      'messaging.operation.name': 'send',
      'messaging.operation.type': 'send',
      'messaging.destination.name': stream,
      'messaging.message.id': id,
    },
  }));
  const options = { kind: SpanKind.PRODUCER, requireParent: true };
  return inSpans(`send ${messages[0]?.stream}`, options, spans, (scopes) => work(scopes.map(({ traceparent }) => traceparent)));
}

/** Whether there was no answer. Any other failure is a refusal. */
const isUnreachable = (error: unknown) =>
  [NoAnswerError, NoRespondersError, errors.ClosedConnectionError, errors.DrainingConnectionError].some((kind) => error instanceof kind);

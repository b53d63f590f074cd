import { errors, headers, type MsgHdrs } from '@nats-io/transport-node';
import type { JetStreamClient } from '@nats-io/jetstream';
import { Batcher, inSpans, SpanKind } from '@classroom/platform';

const TIMEOUT_MS = 2_000;
/** JetStream accepts at most 1,000 messages in a batch. */
const MOST_IN_BATCH = 500;

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

/**
 * Publishes a message and resolves when the stream has stored it.
 * @throws if the stream does not acknowledge within 2 s
 */
export async function send(jetstream: JetStreamClient, message: Message): Promise<void> {
  await traced([message], async ([traceparent]) => {
    const { subject, body, id: msgID } = message;
    await jetstream.publish(subject, body, { msgID, headers: headersOf(message, traceparent), timeout: TIMEOUT_MS });
  });
}

/**
 * Publishes messages of one stream and resolves when each is stored or has failed. They are sent as one atomic batch, which the server writes to
 * its disk once. If the server refuses the batch, for example because it already has one of the messages, each is sent by itself.
 */
export async function sendAll(jetstream: JetStreamClient, messages: readonly Message[]): Promise<PromiseSettledResult<void>[]> {
  const results: PromiseSettledResult<void>[] = [];
  for (let from = 0; from < messages.length; from += MOST_IN_BATCH) {
    results.push(...(await sendBatch(jetstream, messages.slice(from, from + MOST_IN_BATCH))));
  }
  return results;
}

async function sendBatch(jetstream: JetStreamClient, messages: readonly Message[]): Promise<PromiseSettledResult<void>[]> {
  if (messages.length > 1) {
    try {
      await traced(messages, (traceparents) => publishBatch(jetstream, messages, traceparents));
      return messages.map(() => ({ status: 'fulfilled', value: undefined }));
    } catch (reason) {
      // Sending each by itself would only wait for as many timeouts.
      if (isUnreachable(reason)) return messages.map(() => ({ status: 'rejected', reason }));
    }
  }
  return Promise.allSettled(messages.map((message) => send(jetstream, message)));
}

async function publishBatch(
  jetstream: JetStreamClient,
  messages: readonly Message[],
  traceparents: readonly (string | null)[],
): Promise<void> {
  const sent = messages.map((message, index) => {
    const of = headersOf(message, traceparents[index]);
    of.set('Nats-Msg-Id', message.id);
    return { ...message, headers: of };
  });
  const [first, ...others] = sent;
  const last = others.pop();
  if (!first || !last) return;
  const batch = await jetstream.startBatch(first.subject, first.body, { headers: first.headers, timeout: TIMEOUT_MS });
  for (const { subject, body, headers: of } of others) batch.add(subject, body, { headers: of });
  await batch.commit(last.subject, last.body, { headers: last.headers, timeout: TIMEOUT_MS });
}

function headersOf({ ttlSeconds }: Message, traceparent: string | null | undefined): MsgHdrs {
  const sent = headers();
  if (ttlSeconds !== undefined) sent.set('Nats-TTL', `${ttlSeconds}s`);
  if (traceparent) sent.set('traceparent', traceparent);
  return sent;
}

function traced(messages: readonly Message[], work: (traceparents: (string | null)[]) => Promise<void>): Promise<void> {
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
  [errors.TimeoutError, errors.RequestError, errors.ClosedConnectionError, errors.DrainingConnectionError, errors.ConnectionError].some(
    (kind) => error instanceof kind,
  );

/** Sends the messages of many callers: those that arrive while a batch is on its way leave together in the next one. */
export class GroupedSender {
  private readonly batcher: Batcher<Message, void>;

  constructor(jetstream: JetStreamClient) {
    this.batcher = new Batcher(MOST_IN_BATCH, (messages) => sendAll(jetstream, messages));
  }

  /**
   * Resolves when the stream has stored the message. All messages are of one stream.
   * @throws if the stream does not acknowledge within 2 s
   */
  send(message: Message): Promise<void> {
    return this.batcher.add(message);
  }
}

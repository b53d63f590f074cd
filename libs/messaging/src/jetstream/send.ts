import type { Context } from '@opentelemetry/api';
import { headers } from '@nats-io/transport-node';
import type { JetStreamClient } from '@nats-io/jetstream';
import { injectTrace, inSpan, SpanKind } from '@classroom/platform';

const TIMEOUT_MS = 2_000;

export interface Message {
  stream: string;
  subject: string;
  body: string;
  /** JetStream stores a message with the same id only once within the stream's duplicate window. */
  id: string;
}

/**
 * Publishes a message and resolves when the stream has stored it. It carries the active trace, or that of `parent`.
 * @throws if the stream does not acknowledge within 2 s
 */
export async function send(jetstream: JetStreamClient, { stream, subject, body, id }: Message, parent?: Context): Promise<void> {
  const attributes = {
    'messaging.system': 'nats',
    'messaging.operation.name': 'send',
    'messaging.operation.type': 'send',
    'messaging.destination.name': stream,
    'messaging.message.id': id,
  };
  const options = { kind: SpanKind.PRODUCER, attributes, requireParent: true, ...(parent ? { parent } : {}) };
  await inSpan(`send ${stream}`, options, async () => {
    const sent = headers();
    for (const [key, value] of Object.entries(injectTrace())) sent.set(key, value);
    await jetstream.publish(subject, body, { msgID: id, headers: sent, timeout: TIMEOUT_MS });
  });
}

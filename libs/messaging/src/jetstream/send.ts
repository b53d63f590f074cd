import type { Context } from '@opentelemetry/api';
import { headers } from '@nats-io/transport-node';
import type { JetStreamClient } from '@nats-io/jetstream';
import { injectTrace, inSpan, SpanKind } from '@classroom/platform';

const TIMEOUT_MS = 2_000;

export interface Message {
  stream: string;
  subject: string;
  body: string;
  /** A repetition within the stream's window is stored once. */
  id: string;
}

/**
 * Resolves once a stream has it. The trace goes along: the active one, or that of `parent`.
 * @throws where the stream does not say so in 2 s
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

import { randomUUID } from 'node:crypto';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, headers, type NatsConnection } from '@nats-io/transport-node';
import {
  CONSUMERS,
  eventSubject,
  OPTIONAL_CONSUMERS,
  STREAMS,
  type EventContract,
  type EventData,
  type EventEnvelope,
  type ServiceName,
} from '@classroom/contracts';
import { eventually } from './eventually.js';
import type { RunningStack } from './running-stack.js';

/** A fact as an outbox would publish it. `key` is the id of the entity, for most facts a room's sid. */
export function envelopeOf<C extends EventContract>(
  contract: C,
  key: string,
  data: EventData<C>,
  id: string = randomUUID(),
): EventEnvelope<EventData<C>> {
  const time = new Date().toISOString();
  return { specversion: '1.0', id, source: `/services/${contract.service}`, type: contract.type, subject: key, time, data };
}

/** Publishes a fact that no service published: a late, repeated or strange one. */
export async function publishFact<C extends EventContract>(
  stack: RunningStack,
  contract: C,
  key: string,
  data: EventData<C>,
): Promise<void> {
  await onNats(stack, async (connection) => {
    const envelope = envelopeOf(contract, key, data);
    await jetstream(connection).publish(eventSubject(contract, key), JSON.stringify(envelope), { msgID: envelope.id });
  });
}

/** Stores a message as one that a consumer gave up. @param given headers with its subject and failure */
export async function setAside(
  stack: RunningStack,
  consumer: { stream: string; durable: string },
  body: string,
  given: Record<string, string> = {},
): Promise<void> {
  const sent = headers();
  for (const [name, value] of Object.entries(given)) sent.set(name, value);
  const subject = `dlq.${consumer.stream}.${consumer.durable}`;
  await onNats(stack, async (connection) => void (await jetstream(connection).publish(subject, body, { headers: sent })));
}

/** Stores the last fact of this type as one that a consumer gave up. Replayed, it changes nothing, because it was applied before. */
export async function setFactAside(
  stack: RunningStack,
  consumer: { stream: string; durable: string },
  contract: EventContract,
): Promise<void> {
  const fact = (await storedFacts(stack, contract)).at(-1);
  if (!fact) throw new Error(`there is no ${contract.type}`);
  await setAside(stack, consumer, JSON.stringify(fact), {
    'original-subject': eventSubject(contract, fact.subject),
    'original-sequence': '4711',
    reason: 'violates the unique constraint "recordings_pkey"',
    attempts: '8',
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  });
}

/** Deletes a room's facts of one type from the stream, as their expiry or an operator would. Resolves to the number of deleted facts. */
export function purgeFacts(stack: RunningStack, contract: EventContract, key: string): Promise<number> {
  return onNats(stack, async (connection) => {
    const manager = await jetstreamManager(connection);
    return (await manager.streams.purge(STREAMS.EVENTS.name, { filter: eventSubject(contract, key) })).purged;
  });
}

/** The facts of one type that are in the stream, in its order. A fact that was stored twice is returned twice. */
export function storedFacts<C extends EventContract>(stack: RunningStack, contract: C): Promise<EventEnvelope<EventData<C>>[]> {
  return onNats(stack, async (connection) => {
    const consumer = await jetstream(connection).consumers.get(STREAMS.EVENTS.name, { filter_subjects: `${contract.subjectPrefix}.*` });
    const { num_pending: stored } = await consumer.info();
    const facts: EventEnvelope<EventData<C>>[] = [];
    if (stored > 0) for await (const message of await consumer.fetch({ max_messages: stored })) facts.push(message.json());
    return facts;
  });
}

/** The facts of one type that a service has written, published or not, in order. */
export async function writtenFacts<C extends EventContract>(stack: RunningStack, contract: C): Promise<EventEnvelope<EventData<C>>[]> {
  const rows = await stack.rows<{ fact: EventEnvelope<EventData<C>> }>(
    `SELECT body::json AS fact FROM ${contract.service}.outbox WHERE starts_with(subject, $1) ORDER BY position`,
    [`${contract.subjectPrefix}.`],
  );
  return rows.map(({ fact }) => fact);
}

/** The facts of any type that a service has written with these data, published or not, in order. */
export async function factsWith(stack: RunningStack, service: ServiceName, data: Record<string, string>): Promise<EventEnvelope[]> {
  const rows = await stack.rows<{ fact: EventEnvelope }>(
    `SELECT body::json AS fact FROM ${service}.outbox WHERE body::jsonb->'data' @> $1::jsonb ORDER BY position`,
    [JSON.stringify(data)],
  );
  return rows.map(({ fact }) => fact);
}

/** Waits until all facts of a service are published. */
export async function allPublished(stack: RunningStack, service: ServiceName): Promise<void> {
  await eventually(async () => {
    const waiting = await stack.rows(`SELECT subject FROM ${service}.outbox WHERE published_at IS NULL LIMIT 5`);
    if (waiting.length > 0) throw new Error(`the outbox of ${service} is not drained: ${JSON.stringify(waiting)}`);
  });
}

/** Marks all facts of these services as not published, as an operator does after restoring a backup: the streams are empty. */
export async function unpublishAll(stack: RunningStack, services: readonly ServiceName[]): Promise<void> {
  for (const service of services) await stack.rows(`UPDATE ${service}.outbox SET published_at = NULL`);
}

/** The bodies of all messages in a stream. */
export function storedMessages(stack: RunningStack, stream: keyof typeof STREAMS): Promise<string[]> {
  return onNats(stack, async (connection) => {
    const consumer = await jetstream(connection).consumers.get(STREAMS[stream].name);
    const { num_pending: stored } = await consumer.info();
    const bodies: string[] = [];
    if (stored > 0) for await (const message of await consumer.fetch({ max_messages: stored })) bodies.push(message.string());
    return bodies;
  });
}

/** Runs `work`. @returns the bodies of the messages that were published meanwhile with this subject, also of those that no stream keeps */
export function messagesDuring(stack: RunningStack, subject: string, work: () => Promise<void>): Promise<string[]> {
  return onNats(stack, async (connection) => {
    const bodies: string[] = [];
    connection.subscribe(subject, { callback: (_, message) => void bodies.push(message.string()) });
    await connection.flush();
    await work();
    await connection.flush();
    return bodies;
  });
}

/** Runs `work` while the stream stores no further message, as if its disk space were used up. */
export function whileFull<T>(stack: RunningStack, stream: keyof typeof STREAMS, work: () => Promise<T>): Promise<T> {
  return onNats(stack, async (connection) => {
    const manager = await jetstreamManager(connection);
    const { config } = await manager.streams.info(stream);
    await manager.streams.update(stream, { ...config, max_bytes: 1 });
    try {
      return await work();
    } finally {
      await manager.streams.update(stream, config);
    }
  });
}

/** Messages that a durable consumer has not yet received or acknowledged. */
export function unhandled(stack: RunningStack, consumer: keyof typeof CONSUMERS | keyof typeof OPTIONAL_CONSUMERS): Promise<number> {
  return onNats(stack, async (connection) => {
    const { stream, durable } = { ...CONSUMERS, ...OPTIONAL_CONSUMERS }[consumer];
    const info = await (await jetstreamManager(connection)).consumers.info(stream, durable);
    return info.num_pending + info.num_ack_pending;
  });
}

export function deadLetters(stack: RunningStack): Promise<number> {
  return onNats(stack, async (connection) => {
    return (await (await jetstreamManager(connection)).streams.info(STREAMS.DLQ.name)).state.messages;
  });
}

async function onNats<T>(stack: RunningStack, work: (connection: NatsConnection) => Promise<T>): Promise<T> {
  const connection = await connect(stack.nats);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/**
 * Listens for the next published fact about `key`: facts about others have the same subject.
 * @returns a function that waits for it
 */
export async function listenForFact<C extends EventContract>(
  connection: NatsConnection,
  contract: C,
  key: string,
): Promise<() => Promise<EventEnvelope<EventData<C>>>> {
  const events = connection.subscribe(eventSubject(contract, key));
  await connection.flush();
  return async () => {
    for await (const event of events) {
      const fact = event.json<EventEnvelope<EventData<C>>>();
      if (fact.subject === key) return fact;
    }
    throw new Error(`no fact about ${key}: the connection is closed`);
  };
}

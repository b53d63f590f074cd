import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import { CONSUMERS, STREAMS, type ConsumerDeclaration, type StreamDeclaration } from '@classroom/contracts';

const DAY_MS = 86_400_000;
/** How long a message may stay unacknowledged before JetStream redelivers it. */
const ACK_WAIT_MS = 15_000;
const NOT_FOUND = 404;
const MIB = 1_048_576;

export interface StreamOptions {
  /** 3 in a cluster. */
  replicas?: number;
  /** Disk space for all streams together, in MiB; 0 means the limit of the server. */
  storageMib?: number;
}

/** Creates or updates every declared stream and consumer. Safe to repeat and to run concurrently. */
export async function applyStreams(connection: NatsConnection, options: StreamOptions = {}): Promise<void> {
  const manager = await jetstreamManager(connection);
  for (const stream of Object.values(STREAMS)) await applyStream(manager, stream, options);
  for (const consumer of Object.values(CONSUMERS)) await applyConsumer(manager, consumer);
}

/** The declared streams that do not exist. */
export async function missingStreams(connection: NatsConnection): Promise<string[]> {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  const names = Object.values(STREAMS).map(({ name }) => name);
  const found = await Promise.all(names.map((name) => exists(manager.streams.info(name))));
  return names.filter((_, index) => !found[index]);
}

async function applyStream(
  manager: JetStreamManager,
  stream: StreamDeclaration,
  { replicas = 1, storageMib = 0 }: StreamOptions,
): Promise<void> {
  const config = {
    subjects: stream.subjects,
    description: stream.description,
    max_age: nanos(stream.maxAgeDays * DAY_MS),
    num_replicas: replicas,
    max_bytes: storageMib === 0 ? -1 : Math.floor(storageMib * MIB * stream.storageShare),
    // A full stream rejects new messages: publishers keep them and retry. It never drops messages that were not read.
    discard: DiscardPolicy.New,
    // Publishers send batches, which are written to the disk once.
    allow_atomic: true,
    // Some facts are needed for an hour only.
    allow_msg_ttl: true,
  };
  if (await exists(manager.streams.info(stream.name))) await manager.streams.update(stream.name, config);
  else {
    const retention = stream.isQueue ? RetentionPolicy.Workqueue : RetentionPolicy.Limits;
    const fixed = { name: stream.name, storage: StorageType.File, retention };
    await manager.streams.add({ ...fixed, ...config });
  }
}

/** Creates or updates one consumer. */
export async function applyConsumer(manager: JetStreamManager, declaration: ConsumerDeclaration): Promise<void> {
  const { stream, durable, filterSubjects } = declaration;
  const changeable = {
    filter_subjects: filterSubjects,
    ack_wait: nanos(ACK_WAIT_MS),
    // For all processes together, each of which may hold thousands of waiting messages.
    max_ack_pending: 20_000,
    // The consumer counts failures itself: an unreachable dependency must never use up a message's attempts.
    max_deliver: -1,
  };
  if (await exists(manager.consumers.info(stream, durable))) await manager.consumers.update(stream, durable, changeable);
  else {
    const fixed = { durable_name: durable, ack_policy: AckPolicy.Explicit, deliver_policy: DeliverPolicy.All };
    await manager.consumers.add(stream, { ...fixed, ...changeable });
  }
}

async function exists(lookup: Promise<unknown>): Promise<boolean> {
  try {
    await lookup;
    return true;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.status === NOT_FOUND) return false;
    throw error;
  }
}

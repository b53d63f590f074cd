import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type StreamInfo,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import { CONSUMERS, STREAMS, type ConsumerDeclaration, type StreamDeclaration } from '@classroom/contracts';

const DAY_MS = 86_400_000;
/** How long a message may stay unacknowledged before JetStream redelivers it. */
const ACK_WAIT_MS = 15_000;
const NOT_FOUND = 404;
const MIB = 1_048_576;
/** A lower limit is refused if the stream already holds this share of it. */
const MOST_FILLED = 0.8;

export interface StreamOptions {
  /** 3 in a cluster. */
  replicas?: number;
  /** Disk space for all streams together, in MiB; 0 means the limit of the server. */
  storageMib?: number;
}

/** In the metadata of each stream: the version that last applied its declaration. */
const VERSION_KEY = 'virtual-classroom-version';

/**
 * Creates or updates every declared stream and consumer. Safe to repeat and to run concurrently. Apps are released separately, and each release applies the declarations
 * of its own version: an older one changes nothing, because its consumers would no longer receive the newer facts.
 * @param version of the release that applies them
 * @returns the version whose declarations are in force, newer than `version` if this call changed nothing
 */
export async function applyStreams(
  connection: NatsConnection,
  { version, ...options }: StreamOptions & { version?: string } = {},
): Promise<string | undefined> {
  const manager = await jetstreamManager(connection);
  const applied = await appliedVersion(manager);
  if (version && applied && isOlder(version, applied)) return applied;
  const metadata = version ? { metadata: { [VERSION_KEY]: version } } : {};
  for (const stream of Object.values(STREAMS)) await applyStream(manager, stream, options, metadata);
  for (const consumer of Object.values(CONSUMERS)) await applyConsumer(manager, consumer);
  return version;
}

/** The newest version in the metadata of the streams: a release that was interrupted has written it to some. */
async function appliedVersion(manager: JetStreamManager): Promise<string | undefined> {
  const infos = await Promise.all(Object.values(STREAMS).map(({ name }) => found(manager.streams.info(name))));
  return infos
    .flatMap((info) => info?.config.metadata?.[VERSION_KEY] ?? [])
    .reduce<string | undefined>((newest, version) => (newest && !isOlder(newest, version) ? newest : version), undefined);
}

/** Compares the numbers of two versions, `1.2.3`. Other parts do not count. */
export function isOlder(version: string, than: string): boolean {
  const [numbers, others] = [version, than].map((text) => text.split(/[-+]/)[0]?.split('.').map(Number) ?? []);
  for (const at of [0, 1, 2]) {
    const [number = 0, other = 0] = [numbers?.[at], others?.[at]];
    if (number !== other) return number < other;
  }
  return false;
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
  metadata: { metadata?: Record<string, string> },
): Promise<void> {
  const limit = storageMib === 0 ? -1 : Math.floor(storageMib * MIB * stream.storageShare);
  const existing = await found(manager.streams.info(stream.name));
  if (existing) refuseToFill(stream, existing, limit);
  const config = {
    ...metadata,
    subjects: stream.subjects,
    description: stream.description,
    max_age: nanos(stream.maxAgeDays * DAY_MS),
    num_replicas: replicas,
    max_bytes: limit,
    // A full stream rejects new messages: publishers keep them and retry. It never drops messages that were not read.
    discard: DiscardPolicy.New,
    // Publishers send batches, which are written to the disk once.
    allow_atomic: true,
    // Some facts are needed for an hour only.
    allow_msg_ttl: true,
  };
  if (existing) await manager.streams.update(stream.name, config);
  else {
    const retention = stream.isQueue ? RetentionPolicy.Workqueue : RetentionPolicy.Limits;
    const fixed = { name: stream.name, storage: StorageType.File, retention };
    await manager.streams.add({ ...fixed, ...config });
  }
}

/** A stream above its limit takes no message: facts and webhooks would wait from the moment that the limit is lowered. @throws if they would */
function refuseToFill({ name, storageShare }: StreamDeclaration, { config, state }: StreamInfo, limit: number): void {
  const isLowered = limit > 0 && (config.max_bytes <= 0 || config.max_bytes > limit);
  if (!isLowered || state.bytes <= limit * MOST_FILLED) return;
  const least = Math.ceil(state.bytes / MOST_FILLED / storageShare / MIB);
  throw new Error(
    `${name} holds ${Math.ceil(state.bytes / MIB)} MiB: set NATS_STREAM_STORAGE_MIB to ${least} at least, or to 0 for no limit`,
  );
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

const exists = async (lookup: Promise<object>): Promise<boolean> => (await found(lookup)) !== undefined;

async function found<T>(lookup: Promise<T>): Promise<T | undefined> {
  try {
    return await lookup;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.status === NOT_FOUND) return undefined;
    throw error;
  }
}

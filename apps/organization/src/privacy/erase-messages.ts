import { hash } from 'node:crypto';
import { STREAMS } from '@classroom/contracts';
import { jetstream, type JetStreamManager, type JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { UIDS } from '../events/to-public-events.js';
import type { ErasureEntity } from '../schema/erasure.entity.js';

/** A report of the progress follows each so many messages. */
const REPORT_EVERY = 100_000;

export type CompletedErasure = Pick<ErasureEntity, 'erasureId' | 'organizationId'> & {
  completedAt: Date;
  subjectHash: string;
};

export interface ErasedMessages {
  read: number;
  deleted: number;
  /** Messages of erased subjects that some consumer has not acknowledged. */
  kept: number;
  /** Dead letters about erased subjects. An operator replays or drops them: a charge may depend on one. */
  deadLetters: number;
}

interface Fact {
  time?: string;
  data?: Record<string, unknown>;
}

interface LiveKitWebhook {
  participant?: { identity?: string };
}

/** Finds ids whose hash is in a receipt. What was found is kept by id, so its size is that of the people and classes in the streams. */
class Subjects {
  private readonly found = new Map<string, readonly CompletedErasure[]>();

  constructor(private readonly erasures: readonly CompletedErasure[]) {}

  /** @param named the subject as in `subjectHash`, after the id of the erasure: `uid:…` @param at before the erasure was completed */
  includes(named: string, at: Date): boolean {
    let found = this.found.get(named);
    if (!found) {
      found = this.erasures.filter(({ erasureId, subjectHash }) => hash('sha256', `${erasureId}:${named}`) === subjectHash);
      this.found.set(named, found);
    }
    return found.some(({ completedAt }) => at <= completedAt);
  }
}

/** Recognizes messages about erased subjects, which are known as hashes only. */
export class Remnants {
  private readonly all: Subjects;
  private readonly byOrganization: ReadonlyMap<unknown, Subjects>;

  constructor(erasures: readonly CompletedErasure[]) {
    this.all = new Subjects(erasures);
    const groups = Map.groupBy(erasures, ({ organizationId }) => organizationId);
    this.byOrganization = new Map([...groups].map(([organizationId, own]) => [organizationId, new Subjects(own)]));
  }

  /** Whether the fact is about an erased subject, and older than its erasure. */
  includes({ time, data = {} }: Fact): boolean {
    const { organizationId, roomId } = data;
    const subjects = this.byOrganization.get(organizationId);
    if (!subjects || time === undefined) return false;
    const named = [...uidsIn(data)].map((uid) => `uid:${uid}`);
    if (typeof roomId === 'string') named.push(`roomId:${roomId}`);
    if (typeof organizationId === 'string') named.push(`organization:${organizationId}`);
    return named.some((one) => subjects.includes(one, new Date(time)));
  }

  /**
   * Whether a webhook of LiveKit from this time is about an erased person. It does not name the organization: one about the same uid in another
   * organization is included too, which does no harm once it is acknowledged.
   */
  includesWebhook({ participant }: LiveKitWebhook, at: Date): boolean {
    return participant?.identity !== undefined && this.all.includes(`uid:${participant.identity}`, at);
  }
}

function* uidsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, one] of Object.entries(value)) {
    if (UIDS.has(key) && typeof one === 'string') yield one;
    else yield* uidsIn(one);
  }
}

/**
 * Deletes facts about erased subjects, and LiveKit's webhooks about erased people, from the streams, and overwrites them on their disk. A message that a
 * consumer has not acknowledged stays: a charge may depend on it. Idempotent.
 * @param connection of a user who may delete messages
 * @param report is called with the number of messages read so far
 */
export async function eraseMessages(
  connection: NatsConnection,
  erasures: readonly CompletedErasure[],
  report: (read: number) => void,
): Promise<ErasedMessages> {
  const remnants = new Remnants(erasures);
  const result = { read: 0, deleted: 0, kept: 0, deadLetters: 0 };
  if (erasures.length === 0) return result;
  const manager = await jetstream(connection).jetstreamManager();
  const isRemnant: Record<string, (message: JsMsg) => boolean> = {
    [STREAMS.EVENTS.name]: (message) => remnants.includes(message.json<Fact>()),
    [STREAMS.LIVEKIT.name]: (message) => remnants.includesWebhook(message.json<LiveKitWebhook>(), message.time),
  };
  for (const [stream, isIncluded] of Object.entries(isRemnant)) {
    const through = await acknowledgedThrough(manager, stream);
    for await (const message of messagesIn(connection, stream)) {
      result.read += 1;
      if (result.read % REPORT_EVERY === 0) report(result.read);
      if (!isIncluded(message)) continue;
      if (message.seq > through) result.kept += 1;
      else if (await manager.streams.deleteMessage(stream, message.seq, true)) result.deleted += 1;
    }
  }
  for await (const letter of messagesIn(connection, STREAMS.DLQ.name)) {
    const isIncluded = isRemnant[letter.subject.split('.')[1] ?? ''];
    if (isJson(letter) && isIncluded?.(letter)) result.deadLetters += 1;
  }
  return result;
}

/** A message may be a dead letter because it is none. */
function isJson(message: JsMsg): boolean {
  try {
    return message.json<unknown>() !== null;
  } catch {
    return false;
  }
}

async function* messagesIn(connection: NatsConnection, stream: string): AsyncGenerator<JsMsg> {
  const consumer = await jetstream(connection).consumers.get(stream);
  if ((await consumer.info()).num_pending === 0) return;
  const messages = await consumer.consume();
  try {
    for await (const message of messages) {
      yield message;
      if (message.info.pending === 0) return;
    }
  } finally {
    await messages.close();
  }
}

/** The number of the message up to which all consumers have acknowledged what concerns them. */
async function acknowledgedThrough(manager: JetStreamManager, stream: string): Promise<number> {
  let through = (await manager.streams.info(stream)).state.last_seq;
  for await (const { num_pending, num_ack_pending, ack_floor } of manager.consumers.list(stream)) {
    if (num_pending + num_ack_pending > 0) through = Math.min(through, ack_floor.stream_seq);
  }
  return through;
}

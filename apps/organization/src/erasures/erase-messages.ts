import { createHash } from 'node:crypto';
import { jetstream, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { STREAMS } from '@classroom/contracts';
import { UIDS } from '../history/person-fields.js';
import type { ErasureEntity } from '../schema/erasure.entity.js';

const STREAM = STREAMS.EVENTS.name;
/** A report of the progress follows each so many messages. */
const REPORT_EVERY = 100_000;

export type CompletedErasure = Pick<ErasureEntity, 'erasureId' | 'organizationId' | 'isOfOrganization'> & {
  completedAt: Date;
  subjectHash: string;
};

export interface ErasedMessages {
  read: number;
  deleted: number;
  /** Messages of erased subjects that some consumer has not acknowledged. */
  kept: number;
}

interface Fact {
  time?: string;
  data?: Record<string, unknown>;
}

/** Recognizes facts about erased subjects. The subjects are known as hashes only, which are compared with hashes of the ids in a fact. */
export class Remnants {
  private readonly byOrganization: Map<string, CompletedErasure[]>;
  /** Whether a hash is that of an id, by `erasureId:kind:id`. */
  private readonly known = new Map<string, boolean>();

  constructor(erasures: readonly CompletedErasure[]) {
    this.byOrganization = Map.groupBy(erasures, ({ organizationId }) => organizationId);
  }

  /** Whether the fact is about an erased subject, and older than its erasure. */
  includes({ time, data = {} }: Fact): boolean {
    const { organizationId } = data;
    const erasures = typeof organizationId === 'string' ? this.byOrganization.get(organizationId) : undefined;
    return (erasures ?? []).some((erasure) => time !== undefined && new Date(time) <= erasure.completedAt && this.isAbout(data, erasure));
  }

  private isAbout(data: Record<string, unknown>, erasure: CompletedErasure): boolean {
    if (erasure.isOfOrganization) return true;
    return (
      [...uidsIn(data)].some((uid) => this.matches(erasure, 'uid', uid)) ||
      (typeof data['roomId'] === 'string' && this.matches(erasure, 'roomId', data['roomId']))
    );
  }

  private matches({ erasureId, subjectHash }: CompletedErasure, kind: 'uid' | 'roomId', id: string): boolean {
    const named = `${erasureId}:${kind}:${id}`;
    let isMatch = this.known.get(named);
    if (isMatch === undefined) {
      isMatch = createHash('sha256').update(named).digest('hex') === subjectHash;
      this.known.set(named, isMatch);
    }
    return isMatch;
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
 * Deletes facts about erased subjects from the stream, and overwrites them on its disk. A fact that a consumer has not acknowledged stays: a charge
 * may depend on it. Idempotent.
 * @param connection of a user who may delete messages
 * @param report is called with the number of messages read so far
 */
export async function eraseMessages(
  connection: NatsConnection,
  erasures: readonly CompletedErasure[],
  report: (read: number) => void,
): Promise<ErasedMessages> {
  const remnants = new Remnants(erasures);
  const js = jetstream(connection);
  const manager = await js.jetstreamManager();
  const through = await acknowledgedThrough(manager);
  const { num_pending: pending } = await (await js.consumers.get(STREAM)).info();
  const result = { read: 0, deleted: 0, kept: 0 };
  if (pending === 0 || erasures.length === 0) return result;
  const messages = await (await js.consumers.get(STREAM)).consume();
  for await (const message of messages) {
    result.read += 1;
    if (result.read % REPORT_EVERY === 0) report(result.read);
    if (remnants.includes(message.json<Fact>())) {
      if (message.seq > through) result.kept += 1;
      else if (await manager.streams.deleteMessage(STREAM, message.seq, true)) result.deleted += 1;
    }
    if (message.info.pending === 0) break;
  }
  await messages.close();
  return result;
}

/** The number of the message up to which all consumers have acknowledged what concerns them. */
async function acknowledgedThrough(manager: JetStreamManager): Promise<number> {
  let through = (await manager.streams.info(STREAM)).state.last_seq;
  for await (const { num_pending, num_ack_pending, ack_floor } of manager.consumers.list(STREAM)) {
    if (num_pending + num_ack_pending > 0) through = Math.min(through, ack_floor.stream_seq);
  }
  return through;
}

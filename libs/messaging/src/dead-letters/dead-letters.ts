import { jetstream, jetstreamManager, type StoredMsg } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { STREAMS } from '@classroom/contracts';

/** A message that a consumer gave up, as stored in the DLQ stream. */
export interface DeadLetter {
  sequence: number;
  consumer: string;
  originalSubject: string;
  originalSequence: number;
  reason: string;
  setAsideAt: string;
  body: string;
}

const DLQ = STREAMS.DLQ.name;

/** The operator's actions on dead letters: list, replay after the cause is fixed, or delete. */
export class DeadLetters {
  constructor(private readonly connection: NatsConnection) {}

  /** Oldest first, up to `limit`. */
  async list(limit = 100): Promise<DeadLetter[]> {
    const manager = await jetstreamManager(this.connection);
    const { first_seq: first, last_seq: last, messages } = (await manager.streams.info(DLQ)).state;
    const found: DeadLetter[] = [];
    if (messages === 0) return found;
    for (let sequence = first; sequence <= last && found.length < limit; sequence++) {
      const message = await this.find(sequence);
      if (message) found.push(toDeadLetter(message));
    }
    return found;
  }

  async get(sequence: number): Promise<DeadLetter | undefined> {
    const message = await this.find(sequence);
    return message ? toDeadLetter(message) : undefined;
  }

  /**
   * Publishes the message again on its original subject and deletes it from the DLQ stream. A consumer that has already applied
   * it recognizes its id and does nothing. False if the message is not in the stream.
   */
  async replay(sequence: number): Promise<boolean> {
    const message = await this.find(sequence);
    if (!message) return false;
    const sent = headers();
    for (const key of message.header.keys()) if (key.startsWith('trace')) sent.set(key, message.header.get(key));
    sent.set('replayed-from', `${DLQ}:${sequence}`);
    await jetstream(this.connection).publish(toDeadLetter(message).originalSubject, message.data, { headers: sent });
    return this.drop(sequence);
  }

  async drop(sequence: number): Promise<boolean> {
    const manager = await jetstreamManager(this.connection);
    return manager.streams.deleteMessage(DLQ, sequence);
  }

  private async find(sequence: number): Promise<StoredMsg | undefined> {
    const manager = await jetstreamManager(this.connection);
    return (await manager.streams.getMessage(DLQ, { seq: sequence }).catch(() => undefined)) ?? undefined;
  }
}

function toDeadLetter(message: StoredMsg): DeadLetter {
  return {
    sequence: message.seq,
    consumer: message.subject.split('.').slice(2).join('.'),
    originalSubject: message.header.get('original-subject'),
    originalSequence: Number(message.header.get('original-sequence')),
    reason: message.header.get('reason'),
    setAsideAt: message.time.toISOString(),
    body: message.string(),
  };
}

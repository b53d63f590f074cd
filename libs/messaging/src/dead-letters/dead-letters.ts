import { Inject, Injectable } from '@nestjs/common';
import { jetstream, JetStreamApiError, jetstreamManager, type JetStreamManager, type StoredMsg } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { STREAMS } from '@classroom/contracts';
import { NATS } from '../connection.js';

/** A message that a consumer gave up, as stored in the DLQ stream. */
export interface DeadLetter {
  sequence: number;
  consumer: string;
  originalSubject: string;
  originalSequence: number;
  reason: string;
  /** Undefined if the message does not say. */
  attempts: number | undefined;
  /** W3C trace context of the work that published it. */
  traceparent: string | undefined;
  setAsideAt: string;
  body: string;
}

const DLQ = STREAMS.DLQ.name;
/** NATS does not answer a message for which it has no permission. */
const TIMEOUT_MS = 2_000;

/** The operator's actions on dead letters: list, replay after the cause is fixed, or delete. */
@Injectable()
export class DeadLetters {
  constructor(@Inject(NATS) private readonly connection: NatsConnection) {}

  /** Oldest first, up to `limit`. */
  async list(limit = 100): Promise<DeadLetter[]> {
    const manager = await this.manager();
    const { first_seq: first, last_seq: last, messages } = (await manager.streams.info(DLQ)).state;
    const found: DeadLetter[] = [];
    if (messages === 0) return found;
    for (let sequence = first; sequence <= last && found.length < limit; sequence++) {
      const message = await this.find(sequence);
      if (message) found.push(toDeadLetter(message));
    }
    return found;
  }

  /** Newest first, up to `limit`, of those before the number `before`. */
  async page(limit: number, before = Infinity): Promise<DeadLetter[]> {
    const manager = await this.manager();
    const { first_seq: first, last_seq: last, deleted } = (await manager.streams.info(DLQ, { deleted_details: true })).state;
    // NATS leaves the list out if it is empty.
    const gone = new Set(deleted);
    const found: DeadLetter[] = [];
    for (let sequence = Math.min(last, before - 1); sequence >= first && found.length < limit; sequence--) {
      const message = gone.has(sequence) ? undefined : await this.find(sequence);
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
    await jetstream(this.connection).publish(toDeadLetter(message).originalSubject, message.data, { headers: sent, timeout: TIMEOUT_MS });
    await this.drop(sequence);
    return true;
  }

  /** False if the message is not in the stream. */
  async drop(sequence: number): Promise<boolean> {
    const manager = await this.manager();
    try {
      return await manager.streams.deleteMessage(DLQ, sequence);
    } catch (error) {
      if (error instanceof JetStreamApiError) return false;
      throw error;
    }
  }

  private async find(sequence: number): Promise<StoredMsg | undefined> {
    const manager = await this.manager();
    return (await manager.streams.getMessage(DLQ, { seq: sequence })) ?? undefined;
  }

  /** An app may not ask for the account of JetStream. */
  private manager(): Promise<JetStreamManager> {
    return jetstreamManager(this.connection, { checkAPI: false });
  }
}

function toDeadLetter(message: StoredMsg): DeadLetter {
  return {
    sequence: message.seq,
    consumer: message.subject.split('.').slice(2).join('.'),
    originalSubject: message.header.get('original-subject'),
    originalSequence: Number(message.header.get('original-sequence')),
    reason: message.header.get('reason'),
    attempts: Number(message.header.get('attempts')) || undefined,
    traceparent: message.header.get('traceparent') || undefined,
    setAsideAt: message.time.toISOString(),
    body: message.string(),
  };
}

import type { NatsConnection } from '@nats-io/transport-node';
import { AppError, type ErrorCode, type EventContract } from '@classroom/contracts';
import { LRUCache } from 'lru-cache';

const MAX_ANSWERS = 20_000;
/** A change drops the entry at once; this only bounds the harm of a message that never came. */
const TTL_MS = 30_000;

/**
 * What an owner answers, kept here because every request asks. Only "yes" is kept: what is not known is looked for at the
 * owner. The owner's fact drops entries in every gateway (core NATS hears what JetStream stores).
 */
export class OwnersAnswers<V extends object> {
  private readonly cache = new LRUCache<string, V>({ max: MAX_ANSWERS, ttl: TTL_MS });
  private readonly underway = new Map<string, Promise<V | undefined>>();
  /** Rises with every change heard: an answer that was on its way meanwhile is not kept. */
  private generation = 0;

  /** @param no the code by which the owner says no */
  constructor(
    private readonly askOwner: (key: string) => Promise<V>,
    private readonly no: ErrorCode,
  ) {}

  /** At once where it is known, else when the owner has answered. @throws AppError SERVICE_UNAVAILABLE (owner away) */
  find(key: string): V | Promise<V | undefined> {
    return this.cache.get(key) ?? this.ask(key);
  }

  /** Past the cache: before a "no" that the cache would give, the owner is asked. */
  ask(key: string): Promise<V | undefined> {
    const present = this.underway.get(key);
    if (present) return present;
    const generation = this.generation;
    const answer: Promise<V | undefined> = this.askOwner(key)
      .then((value) => {
        if (generation === this.generation) this.cache.set(key, value);
        return value;
      })
      .catch((error: unknown) => {
        if (error instanceof AppError && error.code === this.no) return undefined;
        throw error;
      })
      .finally(() => {
        if (this.underway.get(key) === answer) this.underway.delete(key);
      });
    this.underway.set(key, answer);
    return answer;
  }

  /** The subject of a fact is the key of an answer. */
  dropWhenTold(connection: NatsConnection, { subjectPrefix }: EventContract): void {
    connection.subscribe(`${subjectPrefix}.>`, {
      callback: (error, message) => {
        if (!error) this.drop(message.json<{ subject: string }>().subject);
      },
    });
    void this.dropAllAfterReconnect(connection);
  }

  private drop(key: string): void {
    this.generation += 1;
    this.underway.delete(key);
    this.cache.delete(key);
  }

  /** What was said while we were away was not heard. */
  private async dropAllAfterReconnect(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type !== 'reconnect') continue;
      this.generation += 1;
      this.cache.clear();
    }
  }
}

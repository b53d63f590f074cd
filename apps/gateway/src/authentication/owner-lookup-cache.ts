import type { NatsConnection } from '@nats-io/transport-node';
import { AppError, type ErrorCode, type EventContract } from '@classroom/contracts';
import { atMost } from '@classroom/platform';
import { LRUCache } from 'lru-cache';

const MAX_ENTRIES = 20_000;
/** A change evicts the entry immediately. This only limits the effect of a lost event. */
const TTL_MS = 30_000;

/**
 * Caches an owner's answers, because every request needs one. Only entities that exist are cached; for any other, each request asks the
 * owner. The owner's events evict entries in every gateway (core NATS delivers what JetStream stores).
 */
export class OwnerLookupCache<V extends object> {
  private readonly cache = new LRUCache<string, V>({ ...atMost(MAX_ENTRIES), ttl: TTL_MS });
  private readonly inFlight = new Map<string, Promise<V | undefined>>();
  /** Increases with every change event: an answer that was requested before the event is not cached. */
  private generation = 0;

  /**
   * @param notFoundCode the error code with which the owner reports that the entity does not exist
   * @param subjectOf the `subject` of events about an entity, if this is not the key of its cached answer
   */
  constructor(
    private readonly lookUp: (key: string) => Promise<V>,
    private readonly notFoundCode: ErrorCode,
    private readonly subjectOf?: (value: V) => string,
  ) {}

  /** Synchronous if cached, otherwise asks the owner. @throws AppError SERVICE_UNAVAILABLE if the owner is unreachable */
  find(key: string): V | Promise<V | undefined> {
    return this.cache.get(key) ?? this.findFresh(key);
  }

  /** Asks the owner without the cache: needed before a request is rejected because of a cached answer. */
  findFresh(key: string): Promise<V | undefined> {
    const pending = this.inFlight.get(key);
    if (pending) return pending;
    const generation = this.generation;
    const answer: Promise<V | undefined> = this.lookUp(key)
      .then((value) => {
        if (generation === this.generation) this.cache.set(key, value);
        return value;
      })
      .catch((error: unknown) => {
        if (error instanceof AppError && error.code === this.notFoundCode) return undefined;
        throw error;
      })
      .finally(() => {
        if (this.inFlight.get(key) === answer) this.inFlight.delete(key);
      });
    this.inFlight.set(key, answer);
    return answer;
  }

  /** Evicts the entity of every event of this contract. */
  invalidateOn(connection: NatsConnection, { subjectPrefix }: EventContract): void {
    connection.subscribe(`${subjectPrefix}.>`, {
      callback: (error, message) => {
        if (!error) this.invalidate(message.json<{ subject: string }>().subject);
      },
    });
    void this.clearAfterReconnect(connection);
  }

  /** Evicts the answers about the entity with this `subject`, also one that is in flight. */
  invalidate(subject: string): void {
    const { subjectOf } = this;
    if (subjectOf) return this.invalidateWhere((value) => subjectOf(value) === subject);
    this.generation += 1;
    this.inFlight.delete(subject);
    this.cache.delete(subject);
  }

  /** Evicts what it holds for, and all answers in flight: only their keys are known. */
  invalidateWhere(isMeant: (value: V) => boolean): void {
    this.generation += 1;
    this.inFlight.clear();
    for (const [key, value] of this.cache.entries()) if (isMeant(value)) this.cache.delete(key);
  }

  private clear(): void {
    this.generation += 1;
    this.inFlight.clear();
    this.cache.clear();
  }

  /** Events published while the connection was down were not received. */
  private async clearAfterReconnect(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'reconnect') this.clear();
    }
  }
}

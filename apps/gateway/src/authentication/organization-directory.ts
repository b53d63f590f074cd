import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { AppError, organizationRpc, organizationUpdated, type Organization } from '@classroom/contracts';
import { NATS, RpcClient } from '@classroom/messaging';
import { LRUCache } from 'lru-cache';

const MAX_ORGANIZATIONS = 20_000;
/** A change drops the entry at once; this only bounds the harm of a message that never came. */
const TTL_MS = 30_000;

/**
 * Organizations by id, kept here because every request asks. Only "yes" is kept: whoever is not known is looked for at the
 * owner. `organization.updated` drops the entry in every gateway (core NATS hears what JetStream stores).
 */
@Injectable()
export class OrganizationDirectory implements OnModuleInit {
  private readonly cache = new LRUCache<string, Organization>({ max: MAX_ORGANIZATIONS, ttl: TTL_MS });
  private readonly underway = new Map<string, Promise<Organization | undefined>>();
  /** Rises with every change heard: an answer that was on its way meanwhile is not kept. */
  private generation = 0;

  constructor(
    private readonly rpc: RpcClient,
    @Inject(NATS) private readonly connection: NatsConnection,
  ) {}

  onModuleInit(): void {
    this.connection.subscribe(`${organizationUpdated.subjectPrefix}.>`, {
      callback: (error, message) => {
        if (!error) this.drop(message.json<{ subject: string }>().subject);
      },
    });
    void this.dropAllAfterReconnect();
  }

  /** At once where it is known, else when the owner has answered. @throws AppError SERVICE_UNAVAILABLE (owner away) */
  find(organizationId: string): Organization | Promise<Organization | undefined> {
    return this.cache.get(organizationId) ?? this.ask(organizationId);
  }

  /** Past the cache: before a "no" that the cache would give, the owner is asked. */
  ask(organizationId: string): Promise<Organization | undefined> {
    const present = this.underway.get(organizationId);
    if (present) return present;
    const generation = this.generation;
    const answer = this.rpc
      .call(organizationRpc.get, { organizationId })
      .then((organization) => {
        if (generation === this.generation) this.cache.set(organizationId, organization);
        return organization;
      })
      .catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'ORGANIZATION_NOT_FOUND') return undefined;
        throw error;
      })
      .finally(() => this.underway.delete(organizationId));
    this.underway.set(organizationId, answer);
    return answer;
  }

  private drop(organizationId: string): void {
    this.generation += 1;
    this.underway.delete(organizationId);
    this.cache.delete(organizationId);
  }

  /** What was said while we were away was not heard. */
  private async dropAllAfterReconnect(): Promise<void> {
    for await (const status of this.connection.status()) {
      if (status.type !== 'reconnect') continue;
      this.generation += 1;
      this.cache.clear();
    }
  }
}

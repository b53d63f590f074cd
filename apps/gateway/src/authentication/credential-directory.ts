import { hash } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { credentialRevoked, credentialRpc, type RpcOutput } from '@classroom/contracts';
import { NATS, RpcClient } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { OwnerLookupCache } from './owner-lookup-cache.js';

export type KnownCredential = RpcOutput<typeof credentialRpc.find>;

/** Credentials by the value of VF-ORG-ID. Only hashes of values are kept and sent. */
@Injectable()
export class CredentialDirectory implements OnModuleInit {
  private readonly cache: OwnerLookupCache<KnownCredential>;

  constructor(
    rpc: RpcClient,
    @Inject(NATS) private readonly connection: NatsConnection,
    private readonly clock: Clock,
  ) {
    const lookUp = (hashOfValue: string) => rpc.call(credentialRpc.find, { hash: hashOfValue });
    this.cache = new OwnerLookupCache(lookUp, 'CREDENTIAL_NOT_FOUND', ({ credentialId }) => credentialId);
  }

  onModuleInit(): void {
    this.cache.invalidateOn(this.connection, credentialRevoked);
  }

  /**
   * Undefined if no organization has the value, or it has expired. Synchronous if cached.
   * @throws AppError SERVICE_UNAVAILABLE if the owner is unreachable
   */
  find(value: string): KnownCredential | undefined | Promise<KnownCredential | undefined> {
    const found = this.cache.find(hash('sha256', value));
    return found instanceof Promise ? found.then((credential) => this.unexpired(credential)) : this.unexpired(found);
  }

  /** Whether the value is a valid credential of the organization. @throws AppError SERVICE_UNAVAILABLE if the owner is unreachable */
  async isOf(organizationId: string, value: string): Promise<boolean> {
    return (await this.find(value))?.organizationId === organizationId;
  }

  forget(organizationId: string): void {
    this.cache.invalidateWhere((known) => known.organizationId === organizationId);
  }

  private unexpired(credential: KnownCredential | undefined): KnownCredential | undefined {
    const { expiresAt = null } = credential ?? {};
    return expiresAt !== null && new Date(expiresAt) <= this.clock.now() ? undefined : credential;
  }
}

import { createHash, hash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { apiKeyChanged, apiKeyRpc, AppError, credentialRevoked, credentialRpc, type RpcOutput } from '@classroom/contracts';
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

const KEY_PATTERN = /^vc_live_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;

export type KnownKey = RpcOutput<typeof apiKeyRpc.find>;

/** API keys by their prefix. Of the secrets, only hashes are known here. */
@Injectable()
export class ApiKeyDirectory implements OnModuleInit {
  private readonly cache: OwnerLookupCache<KnownKey>;

  constructor(
    rpc: RpcClient,
    @Inject(NATS) private readonly connection: NatsConnection,
    private readonly clock: Clock,
  ) {
    this.cache = new OwnerLookupCache((prefix) => rpc.call(apiKeyRpc.find, { prefix }), 'API_KEY_NOT_FOUND');
  }

  onModuleInit(): void {
    this.cache.invalidateOn(this.connection, apiKeyChanged);
  }

  /** @throws AppError UNAUTHORIZED if the key is unknown, wrong, expired or revoked; SERVICE_UNAVAILABLE if the owner is unreachable */
  async find(token: string): Promise<KnownKey> {
    const [, prefix, secret] = KEY_PATTERN.exec(token) ?? [];
    if (prefix === undefined || secret === undefined) throw new AppError('UNAUTHORIZED');
    const hash = createHash('sha256').update(secret).digest();
    const known = await this.cache.find(prefix);
    if (!known) throw new AppError('UNAUTHORIZED');
    if (this.accepts(known, hash)) return known;
    // The key may have been rotated since the owner's answer was cached.
    const fresh = await this.cache.findFresh(prefix);
    if (fresh && this.accepts(fresh, hash)) return fresh;
    throw new AppError('UNAUTHORIZED');
  }

  forget(organizationId: string): void {
    this.cache.invalidateWhere((known) => known.organizationId === organizationId);
  }

  /** Compares with all secrets, in a time that reveals nothing about any of them. */
  private accepts({ secrets, expiresAt }: KnownKey, given: Buffer): boolean {
    const now = this.clock.now();
    const isExpired = (end: string | null) => end !== null && new Date(end) <= now;
    const matches = secrets.map(({ hash }) => timingSafeEqual(Buffer.from(hash, 'hex'), given));
    const match = secrets[matches.indexOf(true)];
    return match !== undefined && !isExpired(match.validUntil) && !isExpired(expiresAt);
  }
}

import { createHmac } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  AppError,
  dashboardRole,
  dashboardTokenRpc,
  dashboardTokensRevoked,
  MAX_DASHBOARD_TOKEN_SECONDS,
  organizationId,
  type DashboardRole,
  type RpcOutput,
} from '@classroom/contracts';
import { NATS, RpcClient } from '@classroom/messaging';
import { CONFIG, SecretCipher, signClaims, verifyClaims } from '@classroom/platform';
import { z } from 'zod';
import type { NatsConnection } from '@nats-io/transport-node';
import type { GatewayConfig } from '../config.js';
import { OwnerLookupCache } from './owner-lookup-cache.js';

const ISSUER = 'virtual-classroom';
const AUDIENCE = 'dashboard';
const TYPE = 'dashboard+jwt';
/** Maximum difference between gateways' clocks, in seconds. */
const SKEW_S = 60;

interface DashboardUser {
  organizationId: string;
  /** The version of the organization's tokens when this one was created. */
  version: number;
  subject: string;
  role: DashboardRole;
  /** Undefined in a token of a release that knew no sessions. */
  sessionId?: string | undefined;
  /** The API key that issued the token; undefined if none did. */
  apiKey?: z.infer<typeof claims>['key'];
}

const claims = z
  .object({
    // A token for several audiences, ours among them, is meant for others too.
    aud: z.literal(AUDIENCE),
    sub: z.string().min(1),
    role: dashboardRole,
    org: z.string(),
    // A token from before versions existed has none.
    ver: z.int().min(0).default(0),
    jti: z.string().max(64).optional(),
    iat: z.int(),
    exp: z.int(),
    key: z.object({ keyId: z.string(), scopes: z.array(z.string()), expiresAt: z.string().nullable() }).optional(),
  })
  .refine(({ iat, exp }) => exp > iat && exp - iat <= MAX_DASHBOARD_TOKEN_SECONDS)
  .refine(({ iat }) => iat <= Date.now() / 1000 + SKEW_S);

/** Tokens of dashboard users. Only the gateway signs and verifies them; it accepts no other token, such as one of another service. */
@Injectable()
export class DashboardTokens {
  private readonly secrets: readonly [string, ...string[]];
  /** Encrypts the organization's id: the holder of a token can read it and must not learn the id. */
  private readonly cipher: SecretCipher;

  constructor(@Inject(CONFIG) { DASHBOARD_TOKEN_SECRET: secrets }: Pick<GatewayConfig, 'DASHBOARD_TOKEN_SECRET'>) {
    this.secrets = secrets;
    this.cipher = new SecretCipher('classroom/gateway/dashboard-tokens/v1', secrets);
  }

  sign(
    { organizationId: id, version, subject, role, sessionId, apiKey }: DashboardUser,
    ttlSeconds: number,
    at: Date,
  ): { token: string; expiresAt: Date } {
    const issuedAt = Math.floor(at.getTime() / 1000);
    const expiresAt = issuedAt + ttlSeconds;
    const own = { role, ver: version, org: this.cipher.seal(subject, id), tag: this.tagOf(id), ...(apiKey ? { key: apiKey } : {}) };
    const standard = { iss: ISSUER, aud: AUDIENCE, sub: subject, jti: sessionId, iat: issuedAt, exp: expiresAt };
    return { token: signClaims({ ...own, ...standard }, this.secrets[0], TYPE), expiresAt: new Date(expiresAt * 1000) };
  }

  /** The same in all tokens of an organization, so that the console notices a link of another one. It reveals nothing of the id. */
  private tagOf(organizationId: string): string {
    return createHmac('sha256', this.secrets[0]).update(`organization ${organizationId}`).digest('base64url').slice(0, 22);
  }

  /** @throws AppError UNAUTHORIZED without details */
  verify(token: string): DashboardUser {
    try {
      if (!token.split('.').every(isCanonical)) throw new Error('not as base64url is written');
      const keys = this.secrets.map((secret) => ({ secret, issuer: ISSUER }));
      const { sub, role, org, ver, jti, key } = claims.parse(verifyClaims(token, keys, { audience: AUDIENCE, typ: TYPE }));
      return {
        organizationId: organizationId.parse(this.cipher.open(sub, org)),
        version: ver,
        subject: sub,
        role,
        sessionId: jti,
        apiKey: key,
      };
    } catch (cause) {
      throw new AppError('UNAUTHORIZED', { cause });
    }
  }
}

/** The last character has unused bits: without this check, several texts would be the same token. */
const isCanonical = (part: string) => Buffer.from(part, 'base64url').toString('base64url') === part;

type Known = RpcOutput<typeof dashboardTokenRpc.version> & { organizationId: string };

/** Whether dashboard tokens are still valid: their version is that of the organization, and their session was not ended. */
@Injectable()
export class DashboardSessions implements OnModuleInit {
  private readonly cache: OwnerLookupCache<Known>;

  constructor(
    rpc: RpcClient,
    @Inject(NATS) private readonly connection: NatsConnection,
  ) {
    const lookUp = async (key: string) => {
      const [organizationId = '', sessionId] = key.split(' ');
      return { organizationId, ...(await rpc.call(dashboardTokenRpc.version, { organizationId, sessionId })) };
    };
    this.cache = new OwnerLookupCache(lookUp, 'ORGANIZATION_NOT_FOUND', ({ organizationId }) => organizationId);
  }

  onModuleInit(): void {
    this.cache.invalidateOn(this.connection, dashboardTokensRevoked);
  }

  /** @throws AppError SERVICE_UNAVAILABLE if the owner is unreachable */
  async isValid({ organizationId, version, sessionId }: DashboardUser): Promise<boolean> {
    const key = sessionId === undefined ? organizationId : `${organizationId} ${sessionId}`;
    let known = await this.cache.find(key);
    // A token that was created since the owner's answer was cached may have a later version.
    if (known && known.version < version) known = await this.cache.findFresh(key);
    return known?.version === version && known.isOpen !== false;
  }

  forget(organizationId: string): void {
    this.cache.invalidate(organizationId);
  }
}

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Controller, Inject, Injectable, Req } from '@nestjs/common';
import {
  AppError,
  dashboardTokenRpc,
  endDashboardSession,
  issueDashboardToken,
  openDashboardSession,
  type EndpointInput,
} from '@classroom/contracts';
import { Clock, CONFIG, logger, SecretCipher } from '@classroom/platform';
import { RpcClient } from '@classroom/messaging';
import type { FastifyRequest } from 'fastify';
import { DashboardTokens } from '../authentication/dashboard-tokens.js';
import type { GatewayConfig } from '../config.js';
import { Endpoint, Input, OrganizationId, success } from '../http/endpoint.js';
import { CacheRedis } from '../limits/cache-redis.js';

const CODE_BYTES = 24;
const LIFETIME_S = 60;

export interface IssuedToken {
  token: string;
  /** ISO 8601. */
  expiresAt: string;
  sessionId: string;
}

/** Codes in links to the console, each for one dashboard token. Redis has a hash of the code, and the token encrypted. */
@Injectable()
export class DashboardCodes {
  private readonly cipher: SecretCipher;

  constructor(
    @Inject(CONFIG) { DASHBOARD_TOKEN_SECRET: secrets }: Pick<GatewayConfig, 'DASHBOARD_TOKEN_SECRET'>,
    private readonly cache: CacheRedis,
  ) {
    this.cipher = new SecretCipher('classroom/gateway/dashboard-codes/v1', secrets);
  }

  /** Null if Redis is unreachable: the token works nevertheless. */
  async create(issued: IssuedToken): Promise<string | null> {
    const code = `vdc_${randomBytes(CODE_BYTES).toString('base64url')}`;
    const key = keyOf(code);
    try {
      await this.cache.replies.set(key, this.cipher.seal(key, JSON.stringify(issued)), 'EX', LIFETIME_S);
      return code;
    } catch (error) {
      logger.warn({ err: error }, 'the code of a dashboard link could not be stored');
      return null;
    }
  }

  /** Of concurrent calls with a code, one succeeds. @throws AppError UNAUTHORIZED, SERVICE_UNAVAILABLE */
  async take(code: string): Promise<IssuedToken> {
    const key = keyOf(code);
    const sealed = await this.cache.replies.getdel(key).catch((cause: unknown) => {
      throw new AppError('SERVICE_UNAVAILABLE', { cause });
    });
    if (sealed === null) throw new AppError('UNAUTHORIZED');
    return JSON.parse(this.cipher.open(key, sealed)) as IssuedToken;
  }
}

const keyOf = (code: string) => `kept:dashboard-code:${createHash('sha256').update(code).digest('base64url')}`;

@Controller()
export class DashboardTokensController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly tokens: DashboardTokens,
    private readonly codes: DashboardCodes,
    private readonly clock: Clock,
  ) {}

  @Endpoint(issueDashboardToken)
  async issueDashboardToken(
    @Req() { requestContext: { audit, caller } }: FastifyRequest,
    @OrganizationId() organizationId: string,
    @Input() { body: { subject, role, ttlSeconds } }: EndpointInput<typeof issueDashboardToken>,
  ) {
    const apiKey = 'apiKey' in caller ? caller.apiKey : undefined;
    // A key gives no right that outlives it.
    const left = apiKey?.expiresAt ? Math.floor((Date.parse(apiKey.expiresAt) - this.clock.now().getTime()) / 1000) : Infinity;
    const lifetime = Math.max(1, Math.min(ttlSeconds, left));
    // That of the entry in the audit log, which says whose session it is.
    const sessionId = audit?.id ?? randomUUID();
    const now = this.clock.wall();
    const until = new Date(now.getTime() + lifetime * 1000).toISOString();
    const { version } = await this.rpc.call(dashboardTokenRpc.open, { organizationId, sessionId, expiresAt: until, keyId: apiKey?.keyId });
    const { token, expiresAt } = this.tokens.sign({ organizationId, version, subject, role, sessionId, apiKey }, lifetime, now);
    const issued = { token, expiresAt: expiresAt.toISOString(), sessionId };
    return success({ ...issued, code: await this.codes.create(issued) }, 'Dashboard token created');
  }

  /** @throws AppError FORBIDDEN if it is the session of another person, and the caller no owner; NOT_FOUND */
  @Endpoint(endDashboardSession)
  async endDashboardSession(
    @Req() { requestContext: { caller } }: FastifyRequest,
    @OrganizationId() organizationId: string,
    @Input() { params: { sessionId } }: EndpointInput<typeof endDashboardSession>,
  ) {
    if (caller.kind === 'dashboard' && caller.role !== 'OWNER' && sessionId !== caller.sessionId) throw new AppError('FORBIDDEN');
    return success(await this.rpc.call(dashboardTokenRpc.end, { organizationId, sessionId }), 'Dashboard session ended');
  }

  @Endpoint(openDashboardSession)
  async openDashboardSession(@Input() { body }: EndpointInput<typeof openDashboardSession>) {
    return success(await this.codes.take(body.code), 'Dashboard session opened');
  }
}

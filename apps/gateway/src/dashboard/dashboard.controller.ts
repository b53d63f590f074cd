import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Controller, Inject, Injectable, Req } from '@nestjs/common';
import {
  AppError,
  dashboardTokenRpc,
  DATA_CLASSES,
  endDashboardSession,
  getDashboardProfile,
  getDashboardRetentionEffect,
  getRoom,
  issueDashboardToken,
  listAudit,
  listDashboardAudit,
  listDashboardConnections,
  MAX_LISTED_CONNECTIONS,
  MAX_SHOWN_CONNECTIONS,
  openDashboardSession,
  retentionRpc,
  roomRpc,
  updateDashboardRetention,
  updateOrganization,
  type EndpointInput,
  type RetainedClass,
  type RpcOutput,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Clock, CONFIG, logger, SecretCipher } from '@classroom/platform';
import type { FastifyRequest } from 'fastify';
import { DashboardTokens } from '../authentication/dashboard-tokens.js';
import type { GatewayConfig } from '../config.js';
import { CallingDashboardUser, Endpoint, Input, OrganizationId, success, type DashboardCaller } from '../http/endpoint.js';
import { CacheRedis } from '../limits/cache-redis.js';
import { ServedPictures } from '../media/picture-proxy.js';

/** Endpoints for an organization's own dashboard users. No answer contains the organization's id. */
@Controller()
export class DashboardController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly pictures: ServedPictures,
  ) {}

  @Endpoint(getDashboardProfile)
  getDashboardProfile(@CallingDashboardUser() { organization, subject, role }: DashboardCaller) {
    const { name, billing, createdAt, retention } = organization;
    return success({ name, billing, createdAt, branding: this.pictures.brandingOf(organization), retention, subject, role });
  }

  @Endpoint(updateDashboardRetention)
  async updateDashboardRetention(
    @CallingDashboardUser() { organization }: DashboardCaller,
    @Input() { body }: EndpointInput<typeof updateDashboardRetention>,
  ) {
    const { organizationId } = organization;
    const updated = await this.rpc.call(updateOrganization, { organizationId, changes: { retention: body } });
    return success(updated.retention, 'Retention changed');
  }

  @Endpoint(listDashboardAudit)
  async listDashboardAudit(
    @CallingDashboardUser() { organization }: DashboardCaller,
    @Input() { query }: EndpointInput<typeof listDashboardAudit>,
  ) {
    const { organizationId } = organization;
    const { entries, pagination } = await this.rpc.call(listAudit, { organizationId, ...query });
    return success({ entries: entries.map(withoutEvidence), pagination }, 'Audit log');
  }
}

/** Without what was changed: an organization's id is part of it. */
const withoutEvidence = ({ changes: _, address: __, hash: ___, ...entry }: RpcOutput<typeof listAudit>['entries'][number]) => entry;

type Connection = RpcOutput<typeof roomRpc.connections>['connections'][number];

@Controller()
export class ConnectionsController {
  constructor(private readonly rpc: RpcClient) {}

  @Endpoint(listDashboardConnections)
  async listDashboardConnections(
    @CallingDashboardUser() { organization: { organizationId } }: DashboardCaller,
    @Input() { params: { roomId } }: EndpointInput<typeof listDashboardConnections>,
  ) {
    // The organization's own room, or 404: the other call knows no organization.
    const { sid } = await this.rpc.call(getRoom, { organizationId, roomId });
    const { connections, isComplete } = await this.read(sid);
    return success({ connections: connections.map(toShown).sort(byJoin), isComplete }, 'Connections');
  }

  private async read(sid: string): Promise<{ connections: Connection[]; isComplete: boolean }> {
    const connections: Connection[] = [];
    for (;;) {
      const after = connections.at(-1)?.connectionSid;
      const page = (await this.rpc.call(roomRpc.connections, { sid, limit: MAX_LISTED_CONNECTIONS, ...(after ? { after } : {}) }))
        .connections;
      for (const connection of page) connections.push(connection);
      if (page.length < MAX_LISTED_CONNECTIONS) return { connections, isComplete: true };
      if (connections.length >= MAX_SHOWN_CONNECTIONS) return { connections, isComplete: false };
    }
  }
}

const toShown = ({ connectionSid, uid, name, role, joinedAt, leftAt, openedBy, closedBy }: Connection) => ({
  connectionSid,
  uid,
  name,
  role,
  joinedAt,
  leftAt,
  openedBy,
  closedBy,
});

/** Times are UTC with milliseconds, so they can be compared as text. */
const byJoin = (a: { joinedAt: string }, b: { joinedAt: string }) => (a.joinedAt < b.joinedAt ? -1 : Number(a.joinedAt > b.joinedAt));

const UNIT_MS = { days: 86_400_000, hours: 3_600_000 };

@Controller()
export class RetentionEffectController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  @Endpoint(getDashboardRetentionEffect)
  async getDashboardRetentionEffect(
    @CallingDashboardUser() { organization: { organizationId, retention } }: DashboardCaller,
    @Input() { query: { dataClass, kept } }: EndpointInput<typeof getDashboardRetentionEffect>,
  ) {
    const now = this.clock.now().getTime();
    const ago = (time: number) => new Date(now - time * UNIT_MS[DATA_CLASSES[dataClass].kept.unit]).toISOString();
    const before = ago(kept);
    const since = ago(retention[dataClass]);
    const { old, all, oldestAt } = await this.rpc.call(ownerOf(dataClass), { organizationId, dataClass, since, before });
    return success({ dataClass, erased: old, stored: all, oldestAt, before });
  }
}

function ownerOf(dataClass: RetainedClass) {
  if (dataClass === 'recordings') return retentionRpc.recording;
  return dataClass === 'aiDialogues' ? retentionRpc.ai : retentionRpc.room;
}

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

import { randomUUID } from 'node:crypto';
import { Controller, Req } from '@nestjs/common';
import {
  AppError,
  dashboardTokenRpc,
  endDashboardSession,
  issueDashboardToken,
  openDashboardSession,
  type EndpointInput,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import type { FastifyRequest } from 'fastify';
import { DashboardTokens } from '../authentication/dashboard-tokens.js';
import { DashboardCodes } from './dashboard-codes.js';
import { Endpoint, Input, OrganizationId } from '../http/endpoint.js';
import { success } from '../http/envelope.js';

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

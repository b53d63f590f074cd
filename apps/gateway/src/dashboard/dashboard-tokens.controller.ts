import { randomUUID } from 'node:crypto';
import { Controller, Req } from '@nestjs/common';
import {
  AppError,
  createDashboardToken,
  dashboardTokenRpc,
  issueDashboardToken,
  openDashboardSession,
  type EndpointInput,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import type { FastifyRequest } from 'fastify';
import { DashboardTokens, type DashboardUser } from '../authentication/dashboard-tokens.js';
import { DashboardCodes, type IssuedToken } from './dashboard-codes.js';
import { Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';

type Body = EndpointInput<typeof createDashboardToken>['body'];

@Controller()
export class DashboardTokensController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly tokens: DashboardTokens,
    private readonly codes: DashboardCodes,
    private readonly clock: Clock,
  ) {}

  @Endpoint(createDashboardToken)
  async createDashboardToken(@Req() request: FastifyRequest, @Input() { params, body }: EndpointInput<typeof createDashboardToken>) {
    return success(await this.create(request, params.organizationId, body), 'Dashboard token created');
  }

  @Endpoint(issueDashboardToken)
  async issueDashboardToken(@Req() request: FastifyRequest, @Input() { body }: EndpointInput<typeof issueDashboardToken>) {
    const { caller } = request.requestContext;
    if (caller.kind !== 'organization') throw new AppError('UNAUTHORIZED');
    // A key gives no right that outlives it.
    const until = caller.apiKey?.expiresAt;
    const left = until ? Math.floor((Date.parse(until) - this.clock.now().getTime()) / 1000) : Infinity;
    const issued = await this.create(request, caller.organization.organizationId, {
      ...body,
      ttlSeconds: Math.max(1, Math.min(body.ttlSeconds, left)),
      apiKey: caller.apiKey,
    });
    return success({ ...issued, code: await this.codes.create(issued) }, 'Dashboard token created');
  }

  @Endpoint(openDashboardSession)
  async openDashboardSession(@Input() { body }: EndpointInput<typeof openDashboardSession>) {
    return success(await this.codes.take(body.code), 'Dashboard session opened');
  }

  private async create(
    { requestContext }: FastifyRequest,
    organizationId: string,
    given: Body & Pick<DashboardUser, 'apiKey'>,
  ): Promise<IssuedToken> {
    const { subject, role, ttlSeconds, apiKey } = given;
    // That of the entry in the audit log, which says whose session it is.
    const sessionId = requestContext.audit?.id ?? randomUUID();
    const now = this.clock.wall();
    const until = new Date(now.getTime() + ttlSeconds * 1000).toISOString();
    const { version } = await this.rpc.call(dashboardTokenRpc.open, { organizationId, sessionId, expiresAt: until, keyId: apiKey?.keyId });
    const { token, expiresAt } = this.tokens.sign({ organizationId, version, subject, role, sessionId, apiKey }, ttlSeconds, now);
    return { token, expiresAt: expiresAt.toISOString(), sessionId };
  }
}

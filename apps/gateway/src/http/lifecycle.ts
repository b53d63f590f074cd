import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { closeIdleConnections, type Lifecycle } from '@classroom/http';
import { CONFIG } from '@classroom/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '@classroom/contracts';
import type { AuditTrail } from '../authentication/audit-trail.js';
import type { Authentication } from '../authentication/authentication.js';
import type { NamedOrganization } from '../authentication/named-organization.js';
import type { BillingPlanCheck } from '../authentication/organization-directory.js';
import type { SignedCallers } from '../authentication/signed-callers.js';
import type { GatewayConfig } from '../config.js';
import type { InProgressLimit, LargeBodies } from '../limits/in-progress-limit.js';
import type { RateLimit } from '../limits/rate-limit.js';
import type { AdminPort } from './admin-port.js';
import type { ClassroomCors } from './cors.js';
import { sendError } from './endpoint.js';
import type { ReplyCache } from './reply-cache.js';
import { beginApiRequest } from './request-context.js';
import { noRouteError } from './routes.js';
import { validate } from './validate.js';

/**
 * A shutdown that loses no request. From its beginning, every answer asks its client to connect elsewhere. The port stays open for
 * SHUTDOWN_DELAY_SECONDS, until load balancers send no new requests; then requests in flight are finished.
 */
@Injectable()
export class Drain implements OnModuleDestroy {
  private isDraining = false;
  private readonly ending = new AbortController();
  /** Fires when no load balancer sends new requests any more: an answer without an end has to end now. */
  readonly ended: AbortSignal = this.ending.signal;

  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly host: HttpAdapterHost,
  ) {}

  /** Called for every answer. */
  closeConnectionIfDraining(reply: FastifyReply): void {
    if (this.isDraining) reply.header('connection', 'close');
  }

  /** Runs before the server is closed. */
  async onModuleDestroy(): Promise<void> {
    this.isDraining = true;
    await sleep(this.config.SHUTDOWN_DELAY_SECONDS * 1000);
    this.ending.abort();
    closeIdleConnections(this.host.httpAdapter.getHttpServer() as Server);
  }
}

export interface Checks {
  adminPort: AdminPort;
  audit: AuditTrail;
  authentication: Authentication;
  callers: SignedCallers;
  cors: ClassroomCors;
  drain: Drain;
  inProgress: InProgressLimit;
  largeBodies: LargeBodies;
  named: NamedOrganization;
  plans: BillingPlanCheck;
  rateLimit: RateLimit;
  replies: ReplyCache;
}

/** The steps around the handler of every request, in the order of the contract. */
export const lifecycleOf = ({
  adminPort,
  audit,
  authentication,
  callers,
  cors,
  drain,
  inProgress,
  largeBodies,
  named,
  plans,
  rateLimit,
  replies,
}: Checks): Lifecycle => ({
  begin: beginApiRequest,
  beforeBody: [
    (request, reply) => cors.answer(request, reply),
    (request, reply) => requireRoute(request, reply),
    (request) => adminPort.check(request),
    (request, reply) => authentication.authenticate(request, reply),
    (request, reply) => rateLimit.take(request, reply),
    (request, reply) => inProgress.take(request, reply),
    (request) => authorize(request),
    (request, reply) => largeBodies.take(request, reply),
  ],
  afterBody: [
    (request, reply) => replies.appliesTo(request) && replies.replay(request, reply),
    (request) => validate(request),
    (request) => named.resolve(request),
    (request) => plans.requireBillingPlan(request),
    (request) => audit.begin(request),
  ],
  run: (request, work) => callers.run(request, work),
  sendError,
  onAnswer: (request, reply, payload) => {
    drain.closeConnectionIfDraining(reply);
    largeBodies.release(request);
    named.forgetChanged(request, reply.statusCode);
    replies.store(request, reply, payload);
    audit.end(request, reply.statusCode);
  },
});

function requireRoute(request: FastifyRequest, reply: FastifyReply): void {
  if (request.is404) throw noRouteError(request, reply);
}

/** @throws AppError FORBIDDEN if the API key that called lacks the endpoint's scope, or the operator may only read */
export function authorize({ requestContext: { caller, endpoint } }: FastifyRequest): void {
  if (caller.kind === 'dispatch' && caller.operator.role === 'read' && endpoint?.method !== 'GET')
    throw new AppError('FORBIDDEN', { message: 'This operator may only read' });
  if (caller.kind !== 'organization' || !caller.apiKey || !endpoint) return;
  const { scope } = endpoint;
  if (scope === undefined || !caller.apiKey.scopes.includes(scope))
    throw new AppError('FORBIDDEN', { message: `This API key lacks the scope ${scope}` });
}

import { AppError } from '@classroom/contracts';
import type { Lifecycle } from '@classroom/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuditTrail } from '../authentication/audit-trail.js';
import type { Authentication } from '../authentication/authentication.js';
import type { BillingPlanCheck } from '../authentication/organization-directory.js';
import type { NamedOrganization } from '../authentication/named-organization.js';
import type { SignedCallers } from '../authentication/signed-callers.js';
import type { InProgressLimit } from '../limits/in-progress-limit.js';
import type { RateLimit } from '../limits/rate-limit.js';
import type { AdminPort } from './admin-port.js';
import type { ClassroomCors } from './cors.js';
import type { Drain } from './drain.js';
import { sendError } from './endpoint.js';
import type { LargeBodies } from '../limits/large-bodies.js';
import { beginApiRequest } from './request-context.js';
import type { ReplyCache } from './reply-cache.js';
import { noRouteError } from './routes.js';
import { validate } from './validate.js';

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

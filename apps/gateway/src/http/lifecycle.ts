import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { AppError, closestTo, type EndpointContract } from '@classroom/contracts';
import { AllowedOrigins, allowOrigin, closeIdleConnections, type Lifecycle } from '@classroom/http';
import { CONFIG } from '@classroom/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuditTrail } from '../authentication/audit-trail.js';
import type { Authentication, SignedCallers } from '../authentication/authentication.js';
import type { BillingPlanCheck, NamedOrganization } from '../authentication/organization-directory.js';
import type { GatewayConfig } from '../config.js';
import type { InProgressLimit, LargeBodies } from '../limits/in-progress-limit.js';
import type { RateLimit } from '../limits/rate-limit.js';
import type { AdminPort } from './admin-port.js';
import { beginApiRequest, endpoints, sendError } from './endpoint.js';
import type { ReplyCache } from './reply-cache.js';
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

/**
 * `/v1/room//status` has a blank id, for which there is a specific answer (400 `Missing roomId`), but the router would not find the
 * route. Each blank segment is therefore replaced by an encoded space, which the route matches.
 */
export function keepBlankSegments(url: string): string {
  if (!url.startsWith('/v1/')) return url;
  const [path = '', ...query] = url.split('?');
  const kept = path === '/v1/room' ? '/v1/room/%20' : path.replaceAll(/\/(?=\/|$)/g, '/%20');
  return [kept, ...query].join('?');
}

/** Why no route serves this request: the path does not exist, or it has other methods, which `Allow` then lists. */
function noRouteError(request: FastifyRequest, reply: FastifyReply): AppError {
  const path = request.url.split('?', 1)[0] ?? '';
  const methods = endpoints.filter((endpoint) => patternOf(endpoint.path).test(path)).map(({ method }) => method);
  // The rewritten URL has a mark in each blank segment.
  if (methods.length === 0) return notFound(request.originalUrl.split('?', 1)[0] ?? '', request.method);
  reply.header('allow', methods.join(', '));
  return new AppError('METHOD_NOT_ALLOWED', { message: `Method not allowed: use ${methods.join(' or ')}` });
}

function notFound(path: string, method: string): AppError {
  const meant = meantBy(path, method);
  return new AppError('NOT_FOUND', meant ? { message: `Not found: did you mean ${meant.method} ${meant.path}?` } : {});
}

/** The endpoint whose path is written almost like this one: without the version, with a slash at its end, or with other letters. */
function meantBy(path: string, method: string): EndpointContract | undefined {
  const given = segmentsOf(path);
  const close = endpoints
    .filter(({ auth }) => auth === 'organization' || auth === 'none')
    .filter((endpoint) => {
      const known = segmentsOf(endpoint.path);
      return known.length === given.length && known.every((segment, at) => isClose(given[at] ?? '', segment));
    });
  return close.find((endpoint) => endpoint.method === method) ?? close[0];
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '' && segment !== 'v1');

const isClose = (given: string, known: string) => known.startsWith(':') || closestTo(given, [known]) !== undefined;

const patterns = new Map<string, RegExp>();
function patternOf(path: string): RegExp {
  let pattern = patterns.get(path);
  if (!pattern) {
    pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:[a-zA-Z]+/g, '[^/]+')}$`);
    patterns.set(path, pattern);
  }
  return pattern;
}

const RULES = {
  methods: 'GET, POST, PATCH, DELETE',
  headers: 'Authorization, Content-Type, X-Request-Id, Traceparent, Idempotency-Key',
  exposed: 'X-Request-Id, X-Trace-Id, X-AI-Provider, Retry-After, Date',
};

/** Browsers on allowed origins may call /v1/classroom, with a bearer and never with cookies. No other origin may, and no other route. */
@Injectable()
export class ClassroomCors {
  constructor(private readonly origins: AllowedOrigins) {}

  /** True if the request was a preflight, which is then answered. Synchronous if the origin is cached. */
  answer(request: FastifyRequest, reply: FastifyReply): boolean | Promise<boolean> {
    if (!request.url.startsWith('/v1/classroom/')) return false;
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined) return false;
    const found = this.origins.includes(origin, request.ip);
    const proceed = (isAllowed: boolean) => isAllowed && allowOrigin(request, reply, RULES);
    return found instanceof Promise ? found.then(proceed) : proceed(found);
  }
}

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

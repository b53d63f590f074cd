import { Injectable } from '@nestjs/common';
import { AppError, classroomRpc, type EndpointAuth } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FailedAuthenticationLimit, type CredentialAuth } from '../limits/failed-authentication-limit.js';
import { isErased, requireOpen } from './closed-organization.js';
import { DashboardSessions } from './dashboard-sessions.js';
import { expectedHeaders } from './expected-headers.js';
import { DashboardTokens } from './dashboard-tokens.js';
import { OrganizationCaller } from './organization-caller.js';
import { OrganizationDirectory } from './organization-directory.js';
import { Operators } from './operators.js';

const BEARER = /^Bearer ([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)$/i;
/** A longer bearer (in characters) is not one of our tokens. */
const MAX_BEARER = 8192;

/**
 * Authenticates the caller before any byte of the body is read.
 * @throws AppError UNAUTHORIZED whose details name the headers and never whether a value is valid, FORBIDDEN for a dashboard's user who would have to be an owner, RATE_LIMITED after too many rejections
 */
@Injectable()
export class Authentication {
  constructor(
    private readonly operators: Operators,
    private readonly organizationCaller: OrganizationCaller,
    private readonly organizations: OrganizationDirectory,
    private readonly dashboardTokens: DashboardTokens,
    private readonly dashboardSessions: DashboardSessions,
    private readonly rpc: RpcClient,
    private readonly failedAttempts: FailedAuthenticationLimit,
    private readonly clock: Clock,
  ) {}

  /** Sets the caller in the request's context; synchronously if the organization is cached. */
  authenticate(request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    const auth = credentialOf(request);
    // LiveKit's signature covers the body: the handler verifies both together.
    if (auth === 'livekit' || auth === 'none') return undefined;
    this.failedAttempts.check(request, auth, reply);
    const accept = () => this.failedAttempts.recordSuccess(request, auth);
    const reject = (error: unknown) => {
      this.failedAttempts.recordFailure(request, auth, error);
      const isRefused = error instanceof AppError && error.code === 'UNAUTHORIZED';
      throw isRefused
        ? new AppError('UNAUTHORIZED', { details: expectedHeaders(request.requestContext.endpoint, request.headers), cause: error })
        : error;
    };
    try {
      const verified = this.verifyCredential(request, auth);
      return verified instanceof Promise ? verified.then(accept, reject) : accept();
    } catch (error) {
      return reject(error);
    }
  }

  private verifyCredential(request: FastifyRequest, auth: CredentialAuth): void | Promise<void> {
    switch (auth) {
      case 'organization':
        return this.organizationCaller.authenticate(request);
      case 'dispatch':
        return this.verifyDispatchSecret(request);
      case 'participant':
      case 'classroom':
        return this.verifyParticipantToken(request, auth);
      case 'dashboard':
        return this.verifyDashboardToken(request);
      default:
        return assertNever(auth);
    }
  }

  private verifyDispatchSecret(request: FastifyRequest): void {
    const given = request.headers['x-dispatch-secret'];
    const operator = typeof given === 'string' ? this.operators.find(given) : undefined;
    if (!operator) throw new AppError('UNAUTHORIZED');
    request.requestContext.caller = { kind: 'dispatch', operator };
  }

  private async verifyParticipantToken(request: FastifyRequest, accept: 'participant' | 'classroom'): Promise<void> {
    const participant = await this.rpc.call(classroomRpc.authenticate, { bearer: bearerOf(request), accept });
    request.requestContext.caller = { kind: 'participant', participant };
  }

  private async verifyDashboardToken(request: FastifyRequest): Promise<void> {
    const user = this.dashboardTokens.verify(bearerOf(request));
    const { organizationId, subject, role, sessionId, apiKey } = user;
    const [organization, isValid] = await Promise.all([this.organizations.find(organizationId), this.dashboardSessions.isValid(user)]);
    const now = this.clock.now();
    if (!organization || isErased(organization, now) || !isValid) throw new AppError('UNAUTHORIZED');
    requireOpen(request.requestContext.endpoint, organization, now);
    request.requestContext.caller = { kind: 'dashboard', organization, subject, role, sessionId, apiKey };
    const { endpoint } = request.requestContext;
    if (endpoint?.dashboardRole !== 'OWNER') return;
    if (role !== 'OWNER') throw new AppError('FORBIDDEN');
    if (apiKey && endpoint.scope && !apiKey.scopes.includes(endpoint.scope)) throw new AppError('FORBIDDEN');
  }
}

/** How a request is authenticated. An organization's endpoint that is for its staff too takes the token of a dashboard in place of a key. */
function credentialOf({ headers, requestContext: { endpoint } }: FastifyRequest): EndpointAuth {
  if (endpoint?.auth !== 'organization' || !endpoint.dashboardRole || headers['vf-org-id'] !== undefined) return endpoint?.auth ?? 'none';
  return BEARER.test(headers.authorization ?? '') ? 'dashboard' : 'organization';
}

/** @throws AppError UNAUTHORIZED if there is no bearer that could be a JWT */
function bearerOf({ headers }: FastifyRequest): string {
  const header = headers.authorization ?? '';
  const bearer = header.length <= MAX_BEARER ? BEARER.exec(header)?.[1] : undefined;
  if (!bearer) throw new AppError('UNAUTHORIZED');
  return bearer;
}

function assertNever(auth: never): never {
  throw new Error(`no such authentication: ${String(auth satisfies EndpointAuth)}`);
}

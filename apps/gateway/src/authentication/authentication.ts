import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { AppError, classroomRpc, type EndpointAuth, type EndpointContract, type ErrorDetail } from '@classroom/contracts';
import { CallerSigner, RpcClient, type SignedCaller } from '@classroom/messaging';
import { Clock, CONFIG, inOrganization } from '@classroom/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { FailedAuthenticationLimit, type CredentialAuth } from '../limits/failed-authentication-limit.js';
import { DISPATCH, type Operator } from '../operators-setting.js';
import { DashboardSessions, DashboardTokens } from './dashboard-tokens.js';
import { OrganizationCaller } from './organization-caller.js';
import { isErased, OrganizationDirectory, requireOpen } from './organization-directory.js';

interface Header {
  name: string;
  form: RegExp;
  /** What the header may have. */
  what: string;
}

const JWT = /^Bearer +[\w-]+\.[\w-]+\.[\w-]+$/i;
const bearer = (what: string): Header => ({ name: 'Authorization', form: JWT, what: `“Bearer ” and ${what}` });

const VALUE: Header = { name: 'VF-ORG-ID', form: /^[A-Za-z0-9_-]{1,64}$/, what: 'a credential of your organization, vfo_…' };
const API_KEY = '“Bearer ” and an API key, vc_live_…';

/** Each of a caller's headers is enough. */
const HEADERS: Record<CredentialAuth, readonly Header[]> = {
  organization: [VALUE, { name: 'Authorization', form: /^Bearer +vc_\S+$/i, what: API_KEY }],
  dispatch: [{ name: 'X-Dispatch-Secret', form: /^.+$/, what: 'the operators’ secret' }],
  participant: [bearer('the token of a join, or the classroomToken of a session')],
  classroom: [bearer('the classroomToken of a session')],
  dashboard: [bearer('a token of a dashboard')],
};
const OF_STAFF_TOO = [
  VALUE,
  { name: 'Authorization', form: /^Bearer +(vc_\S+|[\w-]+\.[\w-]+\.[\w-]+)$/i, what: `${API_KEY}, or a token of a dashboard` },
];

/** For the details of a 401: which headers a caller may send, and whether each was there and had its form. Whether a value is valid is never said. */
function expectedHeaders(endpoint: EndpointContract | undefined, headers: FastifyRequest['headers']): ErrorDetail[] {
  const { auth = 'none', dashboardRole } = endpoint ?? {};
  if (auth === 'none' || auth === 'livekit') return [];
  const expected = auth === 'organization' && dashboardRole ? OF_STAFF_TOO : HEADERS[auth];
  return expected.map(({ name, form, what }) => {
    const value = headers[name.toLowerCase()];
    const state = value === undefined ? 'is missing' : typeof value === 'string' && form.test(value) ? 'was sent' : 'is malformed';
    return { path: name, message: `${state}; it may have ${what}` };
  });
}

const digest = (secret: string) => createHash('sha256').update(secret).digest();

/** The operators and the hashes of their secrets. */
@Injectable()
export class Operators {
  private readonly known: { operator: Operator; hash: Buffer; until: number }[];

  constructor(@Inject(CONFIG) config: Pick<GatewayConfig, 'DISPATCH_SECRET' | 'DISPATCH_SECRET_PREVIOUS' | 'OPERATORS'>) {
    const { DISPATCH_SECRET, DISPATCH_SECRET_PREVIOUS, OPERATORS } = config;
    const shared = [DISPATCH_SECRET, DISPATCH_SECRET_PREVIOUS].filter((secret) => secret !== undefined);
    this.known = [
      ...shared.map((secret) => ({ operator: { name: DISPATCH, role: 'admin' as const }, hash: digest(secret), until: Infinity })),
      ...OPERATORS.map(({ hash, until = Infinity, ...operator }) => ({ operator, hash: Buffer.from(hash, 'hex'), until })),
    ];
  }

  /** The operator with this secret, unless it has expired. Compares with all hashes, in a time that reveals nothing about any of them. */
  find(secret: string): Operator | undefined {
    const given = digest(secret);
    const matches = this.known.map(({ hash }) => timingSafeEqual(given, hash));
    const found = this.known[matches.indexOf(true)];
    return found && Date.now() < found.until ? found.operator : undefined;
  }
}

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

type Caller = FastifyRequest['requestContext']['caller'];

/** States to the services, with the gateway's signature, who caused a call. */
@Injectable()
export class SignedCallers {
  private readonly signer: CallerSigner | undefined;

  constructor(@Inject(CONFIG) { CALLER_SIGNING_KEY: key }: GatewayConfig) {
    this.signer = key === undefined ? undefined : new CallerSigner(key);
  }

  /** The gateway's statement about itself, for requests that it passes on to a service; undefined without a key. */
  own(): string | undefined {
    return this.signer?.signOwn();
  }

  /**
   * Runs `work`: its calls of services are made for the request's caller, from the moment at which the caller is authenticated, and name the
   * entry of the audit log, once there is one.
   */
  run({ requestContext }: FastifyRequest, work: () => void): void {
    const { signer } = this;
    if (!signer && requestContext.endpoint?.audit === 'none') return work();
    const sign = () => {
      const caller = signedCallerOf(requestContext.caller);
      return caller && signer?.sign(caller);
    };
    inOrganization(undefined, work, sign, () => requestContext.audit?.id);
  }
}

function signedCallerOf(caller: Caller): SignedCaller | undefined {
  switch (caller.kind) {
    case 'organization':
      return { organizationId: caller.organization.organizationId, rights: caller.apiKey?.scopes ?? ['organization'] };
    case 'dashboard':
      return { organizationId: caller.organization.organizationId, rights: ['dashboard'] };
    case 'participant':
      return { organizationId: caller.participant.organizationId, rights: ['participant', 'classroom'] };
    case 'dispatch':
      return { rights: ['dispatch'] };
    default:
      return undefined;
  }
}

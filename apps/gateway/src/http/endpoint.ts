import {
  applyDecorators,
  Catch,
  createParamDecorator,
  Delete,
  Get,
  HttpCode,
  Patch,
  Post,
  Put,
  type ArgumentsHost,
  type ExceptionFilter,
  type ExecutionContext,
  type StreamableFile,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import {
  AppError,
  errorsOf,
  forEachCaller,
  type AuditedCall,
  type ClassroomCaller,
  type DashboardRole,
  type EndpointContract,
  type EndpointInput,
  type ErrorCode,
  type ErrorDetail,
  type Organization,
} from '@classroom/contracts';
import { answerFailure, beginRequest, endRequest, routeOf, toAppError, type FailureOptions, type RequestContext } from '@classroom/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Operator } from '../operators-setting.js';

/** The scopes of an API key, and when it expires. */
interface ApiKeyRights {
  keyId: string;
  scopes: string[];
  expiresAt: string | null;
}

export interface DashboardCaller {
  kind: 'dashboard';
  organization: Organization;
  subject: string;
  role: DashboardRole;
  /** Undefined if the token is of a release that knew no sessions. */
  sessionId: string | undefined;
  /** The API key that issued the caller’s token; undefined if none did. */
  apiKey: ApiKeyRights | undefined;
}

/** The caller, as the endpoint's kind of authentication identified it. */
export type Caller =
  | { kind: 'none' | 'livekit' }
  | { kind: 'dispatch'; operator: Operator }
  | { kind: 'organization'; organization: Organization; credentialId: string; apiKey?: undefined }
  | { kind: 'organization'; organization: Organization; apiKey: ApiKeyRights }
  | DashboardCaller
  | { kind: 'participant'; participant: ClassroomCaller };

/** One call of the API, from its first byte to its last. */
export interface ApiRequestContext extends RequestContext {
  endpoint: EndpointContract | undefined;
  caller: Caller;
  /** Parameters, query and body, after validation. */
  input?: EndpointInput<EndpointContract>;
  /** Unknown fields of the request, which the answer names. */
  warnings?: readonly ErrorDetail[];
  /** The caller's Idempotency-Key, for an owner that stores it itself. */
  ownerKey?: { key: string; bodyHash: string };
  /** Redis key for the answer to a request with an Idempotency-Key. */
  replyKey?: string;
  /** Renews the claim on that key while the request is in progress. */
  renewal?: NodeJS.Timeout;
  /** A model answers a key only once, even if the answer is not stored: another answer would add and charge a turn of the dialogue. */
  isAnsweredOnce?: true;
  /** The call's entry in the audit log, from the moment at which it was first stored. */
  audit?: AuditedCall;
}

declare module 'fastify' {
  interface FastifyRequest {
    requestContext: ApiRequestContext;
  }
  interface FastifyContextConfig {
    endpoint?: EndpointContract;
  }
}

/** The endpoint of a request's route: operators and participants may have a path of their own. */
export function endpointOf({ is404, routeOptions }: FastifyRequest): EndpointContract | undefined {
  if (is404) return undefined;
  const { endpoint } = routeOptions.config as { endpoint?: EndpointContract };
  return endpoint && (forEachCaller(endpoint).find(({ path }) => path === routeOptions.url) ?? endpoint);
}

export function beginApiRequest(request: FastifyRequest, reply: FastifyReply): void {
  const endpoint = endpointOf(request);
  Object.assign(beginRequest(request, reply, { route: endpoint?.path ?? routeOf(request) }), {
    endpoint,
    caller: { kind: 'none' },
  });
}

const METHODS = { GET: Get, POST: Post, PUT: Put, PATCH: Patch, DELETE: Delete };
const registry: EndpointContract[] = [];

/** Every endpoint that is served, for 405 and for the tests that check all routes. */
export const endpoints: readonly EndpointContract[] = registry;

type Answer<C extends EndpointContract> = z.input<C['response']> | StreamableFile | void;

/** Registers a contract. @returns its paths, and the route's configuration, which decides all steps before and after the handler */
export function serve(endpoint: EndpointContract) {
  const each = forEachCaller(endpoint);
  for (const one of each) registry.push(one);
  return { paths: each.map(({ path }) => path), config: { endpoint } };
}

/** Serves a contract by a method of a controller. */
export function Endpoint<C extends EndpointContract>(contract: C) {
  const { paths, config } = serve(contract);
  const decorate = applyDecorators(METHODS[contract.method](paths), HttpCode(200), RouteConfig(config));
  return (target: object, key: string, descriptor: { value?: (...given: never[]) => Answer<C> | Promise<Answer<C>> }): void =>
    decorate(target, key, descriptor as PropertyDescriptor);
}

const requestContextOf = (context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>().requestContext;

/** The request's parameters, query and body, validated by the endpoint's contract. */
export const Input = createParamDecorator((_: unknown, context: ExecutionContext) => requestContextOf(context).input);

const callerOf = (context: ExecutionContext): Caller => requestContextOf(context).caller;

/** The organization that called: its backend, or its staff from a dashboard. */
export const CallingOrganization = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const caller = callerOf(context);
  if (caller.kind !== 'organization' && caller.kind !== 'dashboard') throw new AppError('UNAUTHORIZED');
  return caller.organization;
});

/** The id of the organization that called, or that an operator named in the path. */
export const OrganizationId = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const { caller, input } = requestContextOf(context);
  if (caller.kind === 'organization' || caller.kind === 'dashboard') return caller.organization.organizationId;
  const named = (input?.params as { organizationId?: string } | undefined)?.organizationId;
  if (caller.kind !== 'dispatch' || named === undefined) throw new AppError('UNAUTHORIZED');
  return named;
});

/** The dashboard user who called, authenticated by their token. */
export const CallingDashboardUser = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const caller = callerOf(context);
  if (caller.kind !== 'dashboard') throw new AppError('UNAUTHORIZED');
  return caller;
});

/** The participant who called, authenticated by their bearer. */
export const CallingParticipant = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const caller = callerOf(context);
  if (caller.kind !== 'participant') throw new AppError('UNAUTHORIZED');
  return caller.participant;
});

/**
 * A signal that fires as soon as the connection closes before the whole answer was sent. It listens to the socket: the request's own
 * events end with its body, and a pipelined answer has no connection yet.
 */
export const DisconnectSignal = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const reply = context.switchToHttp().getResponse<FastifyReply>();
  const { socket } = request.raw;
  const disconnect = new AbortController();
  request.requestContext.isAnsweredOnce = true;
  const onClose = () => {
    disconnect.abort();
    // Fastify reports only answers that were sent.
    endRequest(request, reply);
  };
  if (socket.destroyed) onClose();
  socket.once('close', onClose);
  reply.raw.once('finish', () => socket.off('close', onClose));
  return disconnect.signal;
});

export interface Success<D> {
  success: true;
  message?: string;
  data: D;
}

export const success = <D>(data: D, message?: string): Success<D> =>
  message === undefined ? { success: true, data } : { success: true, message, data };

/** Adds the warnings about a request to its successful answers. */
export function addWarnings(fastify: FastifyInstance): void {
  fastify.addHook('preSerialization', ({ requestContext }, _, payload, done) => {
    const { warnings } = requestContext ?? {};
    const isSuccess = warnings !== undefined && (payload as { success?: unknown } | null)?.success === true;
    done(null, isSuccess ? { ...(payload as object), warnings } : payload);
  });
}

/** Errors with which the server itself answers before a handler runs, whether the endpoint declares them or not. */
const TRANSPORT_ERRORS: ReadonlySet<ErrorCode> = new Set(['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']);

/** How failures are answered according to the request's contract. */
export function failureOptions({ requestContext }: FastifyRequest): FailureOptions {
  const endpoint = requestContext?.endpoint;
  if (!endpoint) return {};
  return {
    operation: endpoint.operationId,
    isDeclared: (code) => TRANSPORT_ERRORS.has(code) || errorsOf(endpoint).has(code),
    // LiveKit waits for any Retry-After, while the room's webhooks queue behind it. Without one it uses its own back-off.
    hasOwnBackOff: endpoint.auth === 'livekit',
  };
}

/** Answers any failure in the envelope. */
export const sendError = (request: FastifyRequest, reply: FastifyReply, failure: unknown): FastifyReply =>
  answerFailure(request, reply, failure, failureOptions(request));

/** Answers everything that is thrown: our errors, those of Nest and Fastify, and unexpected ones. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendError(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), toAppError(thrown));
  }
}

import { applyDecorators, createParamDecorator, Delete, Get, HttpCode, Patch, Post, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { AppError, validationError, withoutNulls, type EndpointContract, type EndpointInput } from '@classroom/contracts';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Caller } from './exchange.js';

const METHODS = { GET: Get, POST: Post, PATCH: Patch, DELETE: Delete };
const registry: EndpointContract[] = [];

/** Every endpoint that a controller serves, for 405 and for the tests that walk all routes. */
export const endpoints: readonly EndpointContract[] = registry;

/** Serves a contract: method, path and, through the route's configuration, authentication, limits and plan. */
export function Endpoint(contract: EndpointContract): MethodDecorator {
  registry.push(contract);
  return applyDecorators(METHODS[contract.method](contract.path), HttpCode(200), RouteConfig({ endpoint: contract }));
}

/** The request's parameters, query and body, parsed by the endpoint's contract. @throws AppError VALIDATION_FAILED */
export const Input = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const { endpoint } = request.exchange;
  if (!endpoint) throw new AppError('NOT_FOUND');
  return {
    params: parse(endpoint.params, request.params),
    query: parse(endpoint.query, request.query),
    body: parse(endpoint.body, withoutNulls(endpoint.body, request.body)),
  } satisfies EndpointInput<EndpointContract>;
});

function parse(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw validationError(parsed.error);
  return parsed.data;
}

const callerOf = (context: ExecutionContext): Caller => context.switchToHttp().getRequest<FastifyRequest>().exchange.caller;

/** The organization that called, as its id or its API key proved it. */
export const CallingOrganization = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const caller = callerOf(context);
  if (caller.kind !== 'organization') throw new AppError('UNAUTHORIZED');
  return caller.organization;
});

/** The rights of the API key that called; undefined where the organization's id did, which may everything. */
export const CallingApiKey = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const caller = callerOf(context);
  if (caller.kind !== 'organization') throw new AppError('UNAUTHORIZED');
  return caller.apiKey;
});

/** Who looks at a dashboard, as their token proved it. */
export const CallingDashboardUser = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const caller = callerOf(context);
  if (caller.kind !== 'dashboard') throw new AppError('UNAUTHORIZED');
  return caller;
});

/** The participant that called, as its bearer proved it. */
export const CallingParticipant = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const caller = callerOf(context);
  if (caller.kind !== 'participant') throw new AppError('UNAUTHORIZED');
  return caller.participant;
});

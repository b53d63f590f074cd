import {
  applyDecorators,
  createParamDecorator,
  Delete,
  Get,
  HttpCode,
  Patch,
  Post,
  type ExecutionContext,
  type StreamableFile,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { AppError, type EndpointContract } from '@classroom/contracts';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Caller } from './exchange.js';

const METHODS = { GET: Get, POST: Post, PATCH: Patch, DELETE: Delete };
const registry: EndpointContract[] = [];

/** Every endpoint that a controller serves, for 405 and for the tests that walk all routes. */
export const endpoints: readonly EndpointContract[] = registry;

type Answer<C extends EndpointContract> = z.input<C['response']> | StreamableFile | void;

/** Serves a contract: method, path and, through the route's configuration, all that happens before and after the handler. */
export function Endpoint<C extends EndpointContract>(contract: C) {
  registry.push(contract);
  const decorate = applyDecorators(METHODS[contract.method](contract.path), HttpCode(200), RouteConfig({ endpoint: contract }));
  return (target: object, key: string, descriptor: { value?: (...given: never[]) => Answer<C> | Promise<Answer<C>> }): void =>
    decorate(target, key, descriptor as PropertyDescriptor);
}

const exchangeOf = (context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>().exchange;

/** The request's parameters, query and body, validated by the endpoint's contract. */
export const Input = createParamDecorator((_: unknown, context: ExecutionContext) => exchangeOf(context).input);

const callerOf = (context: ExecutionContext): Caller => exchangeOf(context).caller;

/** The organization that called, as its id or its API key proved it. */
export const CallingOrganization = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const caller = callerOf(context);
  if (caller.kind !== 'organization') throw new AppError('UNAUTHORIZED');
  return caller.organization;
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

import { AppError } from '@classroom/contracts';
import { type AddressQuota, answerFailure, beginRequest, toAppError, type Lifecycle } from '@classroom/http';
import { GATEWAY_HEADER, type CallerVerifier } from '@classroom/messaging';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { MediaCors } from './cors.js';

/** The steps around the handler of every request. */
export const lifecycleOf = (begin: Lifecycle['begin'], cors: MediaCors, requests: AddressQuota, isDraining: () => boolean): Lifecycle => ({
  begin: (request, reply) => {
    begin(request, reply);
    if (isDraining()) reply.header('connection', 'close');
  },
  beforeBody: [(request, reply) => cors.answerKnown(request, reply), (request, reply) => takeOne(requests, request, reply)],
  sendError,
});

export const beginOf = (callers: CallerVerifier) => (request: FastifyRequest, reply: FastifyReply) => {
  beginRequest(request, reply, { isOurs: callers.isFromGateway(request.headers[GATEWAY_HEADER]) });
  // Pages that isolate themselves (COEP) may still embed what they have a signed address for.
  reply.header('cross-origin-resource-policy', 'cross-origin');
};

/** @throws AppError RATE_LIMITED */
function takeOne(requests: AddressQuota, { ip }: FastifyRequest, reply: FastifyReply): void {
  if (requests.take(ip)) return;
  reply.header('retry-after', String(requests.secondsLeft(ip)));
  throw new AppError('RATE_LIMITED');
}

export function sendError(request: FastifyRequest, reply: FastifyReply, failure: unknown): FastifyReply {
  // These headers describe the file that could not be sent, not the error.
  for (const name of ['etag', 'last-modified', 'accept-ranges', 'content-range', 'content-length']) reply.removeHeader(name);
  reply.header('cache-control', 'no-store');
  return answerFailure(request, reply, toAppError(failure));
}

export const notFound = (request: FastifyRequest, reply: FastifyReply) => sendError(request, reply, new AppError('NOT_FOUND'));

import { errorsOf, type ErrorCode } from '@classroom/contracts';
import { answerFailure, type FailureOptions } from '@classroom/http';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface Success<D> {
  success: true;
  message?: string;
  data: D;
}

export const success = <D>(data: D, message?: string): Success<D> =>
  message === undefined ? { success: true, data } : { success: true, message, data };

/** What the server itself answers to bytes that no handler has seen, whatever the endpoint takes. */
const OF_TRANSPORT: ReadonlySet<ErrorCode> = new Set(['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']);

/** How the request's contract has failures answered. */
export function failureOptions({ exchange }: FastifyRequest): FailureOptions {
  const endpoint = exchange?.endpoint;
  if (!endpoint) return {};
  return {
    operation: endpoint.operationId,
    isDeclared: (code) => OF_TRANSPORT.has(code) || errorsOf(endpoint).has(code),
    // LiveKit obeys Retry-After however long, with the room's queue waiting behind: it is left to its own back-off.
    hasOwnBackOff: endpoint.auth === 'livekit',
  };
}

/** Answers any failure in the envelope. */
export const sendError = (request: FastifyRequest, reply: FastifyReply, failure: unknown): FastifyReply =>
  answerFailure(request, reply, failure, failureOptions(request));

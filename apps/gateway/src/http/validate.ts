import { validationError, withoutNulls, type EndpointContract, type EndpointInput } from '@classroom/contracts';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { checkedIdempotencyKey, hashOf } from './idempotency-key.js';

/** Parses parameters, query, body and Idempotency-Key by the endpoint's contract. @throws AppError VALIDATION_FAILED */
export function validate({ requestContext, params, query, body, headers }: FastifyRequest): void {
  const { endpoint } = requestContext;
  if (!endpoint) return;
  requestContext.input = {
    params: parse(endpoint.params, params),
    query: parse(endpoint.query, query),
    body: parse(endpoint.body, withoutNulls(endpoint.body, body)),
  } satisfies EndpointInput<EndpointContract>;
  const key = headers['idempotency-key'];
  if (endpoint.idempotency !== 'owner' || key === undefined) return;
  requestContext.ownerKey = { key: checkedIdempotencyKey(key), bodyHash: hashOf(requestContext.input.body) };
}

function parse(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw validationError(parsed.error);
  return parsed.data;
}

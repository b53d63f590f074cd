import {
  AppError,
  invalidField,
  unknownFields,
  validationError,
  withoutNulls,
  type EndpointContract,
  type EndpointInput,
  type ErrorDetail,
} from '@classroom/contracts';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { checkedIdempotencyKey, hashOf } from './reply-cache.js';

/**
 * Parses parameters, query, body and Idempotency-Key by the endpoint's contract. Unknown fields are ignored, with a warning in the answer, unless
 * they are probably misspelled.
 * @throws AppError VALIDATION_FAILED
 */
export function validate({ requestContext, params, query, body, headers }: FastifyRequest): void {
  const { endpoint } = requestContext;
  if (!endpoint) return;
  const [ofQuery, ofBody] = [unknownIn(endpoint.query, query), unknownIn(endpoint.body, body)];
  requestContext.input = {
    params: parse(endpoint.params, params),
    query: parse(endpoint.query, query, ofQuery),
    body: parse(endpoint.body, withoutNulls(endpoint.body, body), ofBody),
  } satisfies EndpointInput<EndpointContract>;
  const warnings = [...ofQuery.ignored, ...ofBody.ignored];
  if (warnings.length > 0) requestContext.warnings = warnings;
  const key = headers['idempotency-key'];
  if (endpoint.idempotency !== 'owner' || key === undefined) return;
  requestContext.ownerKey = { key: checkedIdempotencyKey(key), bodyHash: hashOf(requestContext.input.body) };
}

interface Unknown {
  misspelled: readonly ErrorDetail[];
  ignored: readonly ErrorDetail[];
}

const NOTHING: Unknown = { misspelled: [], ignored: [] };

function unknownIn(schema: z.ZodType, value: unknown): Unknown {
  const found = unknownFields(schema, value);
  if (found.length === 0) return NOTHING;
  return {
    misspelled: found.flatMap(({ path, meant }) =>
      meant === undefined ? [] : [{ path, message: `is unknown: did you mean \`${meant}\`?` }],
    ),
    ignored: found.filter(({ meant }) => meant === undefined).map(({ path }) => ({ path, message: 'is unknown and was ignored' })),
  };
}

function parse(schema: z.ZodType, value: unknown, { misspelled } = NOTHING): unknown {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw validationError(parsed.error, misspelled);
  if (misspelled.length > 0) throw new AppError('VALIDATION_FAILED', { details: [...misspelled] });
  return parsed.data;
}

const MIB = 1024 ** 2;

/**
 * Decodes a field of base64 as in RFC 4648: padded, without line breaks, not in its alphabet for URLs.
 * @param limit in bytes, after decoding
 * @throws AppError VALIDATION_FAILED or PAYLOAD_TOO_LARGE, which name the field
 */
export function decodeInput(field: string, base64: string, limit: number): Buffer {
  // Checked before decoding, so that a field that is too large costs nothing.
  if (Math.floor((base64.length * 3) / 4) - 2 > limit) throw tooLarge(field, limit);
  const bytes = Buffer.from(base64, 'base64');
  // Node skips characters that it cannot decode: only valid base64 encodes to the same text again.
  if (bytes.toString('base64') !== base64) throw invalidField(field, 'must be base64');
  if (bytes.length > limit) throw tooLarge(field, limit);
  return bytes;
}

function tooLarge(field: string, limit: number): AppError {
  const message = `must be at most ${limit / MIB} MiB`;
  return new AppError('PAYLOAD_TOO_LARGE', { message: `${field} ${message}`, details: [{ path: field, message }] });
}

import { createHash } from 'node:crypto';
import { idempotencyKey, invalidField } from '@classroom/contracts';

/** @throws AppError VALIDATION_FAILED that names the header */
export function checkedIdempotencyKey(key: unknown): string {
  const parsed = idempotencyKey.safeParse(key);
  if (parsed.success) return parsed.data;
  throw invalidField('Idempotency-Key', parsed.error.issues[0]?.message ?? 'is not valid', parsed.error);
}

/** Of a body as it was understood. */
export const hashOf = (body: unknown) => createHash('sha256').update(JSON.stringify(body ?? null)).digest('hex');

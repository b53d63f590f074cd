import { createHash } from 'node:crypto';
import { idempotencyKey, invalidField } from '@classroom/contracts';
import type { FastifyReply } from 'fastify';

/** @throws AppError VALIDATION_FAILED that names the header */
export function checkedIdempotencyKey(key: unknown): string {
  const parsed = idempotencyKey.safeParse(key);
  if (parsed.success) return parsed.data;
  throw invalidField('Idempotency-Key', parsed.error.issues[0]?.message ?? 'is not valid', parsed.error);
}

/** Removes `isReplayed` from an owner's answer. If it is set, the owner repeated an earlier answer, and a header says so. */
export function withReplayHeader<T extends { isReplayed?: boolean | undefined }>(
  reply: FastifyReply,
  { isReplayed, ...data }: T,
): Omit<T, 'isReplayed'> {
  if (isReplayed) markReplayed(reply);
  return data;
}

export const markReplayed = (reply: FastifyReply) => reply.header('idempotency-replayed', 'true');

/** Hash of a parsed body. */
export const hashOf = (body: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(body ?? null))
    .digest('hex');

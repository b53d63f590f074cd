import type { DomainProofEntity } from '../schema/domain-proof.entity.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const OFTEN_MS = 3 * DAY_MS;
const LAST_MS = 30 * DAY_MS;

/** When a record is looked for again: every day if it was found, otherwise first often, then daily, in the end on request only. */
export function nextCheck({ provedAt, createdAt }: Pick<DomainProofEntity, 'provedAt' | 'createdAt'>, now: Date): Date | null {
  const age = now.getTime() - createdAt.getTime();
  if (!provedAt && age >= LAST_MS) return null;
  return new Date(now.getTime() + (provedAt || age >= OFTEN_MS ? DAY_MS : 15 * MINUTE_MS));
}

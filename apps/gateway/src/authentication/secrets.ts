import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (value: string) => createHash('sha256').update(value).digest();

/** Whether `given` is one of `accepted`, in a time that reveals nothing about either. */
export function isOneOf(given: string, accepted: readonly string[]): boolean {
  const givenDigest = digest(given);
  return accepted.map((secret) => timingSafeEqual(givenDigest, digest(secret))).includes(true);
}

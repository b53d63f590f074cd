import { createHash, randomBytes } from 'node:crypto';

export const KEY_PREFIX = 'vc_live_';
const PREFIX_BYTES = 8;
const SECRET_BYTES = 32;

export const newPrefix = () => randomBytes(PREFIX_BYTES).toString('hex');

/** The part of a key after its prefix, and the SHA-256 hash of that part, which is all that is stored. */
export function newSecret(): { secret: string; hash: Buffer } {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { secret, hash: createHash('sha256').update(secret).digest() };
}

/** The whole key, as a caller sends it. */
export const tokenOf = (prefix: string, secret: string) => `${KEY_PREFIX}${prefix}_${secret}`;

import { hkdfSync } from 'node:crypto';
import { signClaims, verifyClaims } from './signed-claims.js';

const ISSUER = 'virtual-classroom';
const AUDIENCE = 'recording';
const PURPOSE = 'classroom/film/v1';
const KEY_BYTES = 32;
/** A page that films renews its token every half minute. So long it may be without an answer. */
const VALID_SECONDS = 3_600;

/** LiveKit does not know this key: the token opens nothing there. */
const keyOf = (secret: string) => Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, KEY_BYTES)).toString('base64url');

/**
 * The token with which a recording page reads the board of one class, and nothing else.
 * @param secret LiveKit's API secret, which gateway and recording share
 */
export function signFilmToken(secret: string, sid: string, at = new Date()): string {
  const claims = { iss: ISSUER, aud: AUDIENCE, sub: sid, exp: Math.floor(at.getTime() / 1000) + VALID_SECONDS };
  return signClaims(claims, keyOf(secret));
}

/** @returns the class's sid @throws if none of the secrets has signed the token, or it is too old */
export function verifyFilmToken(secrets: readonly string[], token: string): string {
  const keys = secrets.map((secret) => ({ secret: keyOf(secret), issuer: ISSUER }));
  const { sub } = verifyClaims(token, keys, { audience: AUDIENCE });
  if (typeof sub !== 'string' || !sub) throw new Error('names no class');
  return sub;
}

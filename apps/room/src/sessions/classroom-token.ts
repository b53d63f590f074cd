import { jwtVerify, SignJWT } from 'jose';
import type { RoomConfig } from '../config.js';

const ISSUER = 'virtual-classroom';
const AUDIENCE = 'classroom';
const ALGORITHM = 'HS256';

/** The claims of the page's bearer token. They never contain the organization's id, which is a secret. */
export interface ClassroomClaims {
  sid: string;
  uid: string;
  sessionNumber: number;
  issuedAt: number;
}

type Config = Pick<RoomConfig, 'CLASSROOM_TOKEN_SECRET' | 'CLASSROOM_TOKEN_TTL_SECONDS'>;
const keyOf = (secret: string) => new TextEncoder().encode(secret);

export async function signClassroomToken(
  config: Config,
  claims: Omit<ClassroomClaims, 'issuedAt'>,
  at: Date,
): Promise<{ token: string; expiresAt: Date }> {
  const issuedAt = at.getTime();
  const exp = Math.floor(issuedAt / 1000) + config.CLASSROOM_TOKEN_TTL_SECONDS;
  const token = await new SignJWT({ sid: claims.sid, ses: claims.sessionNumber, ms: issuedAt })
    .setProtectedHeader({ alg: ALGORITHM })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(claims.uid)
    .setExpirationTime(exp)
    .sign(keyOf(config.CLASSROOM_TOKEN_SECRET[0]));
  return { token, expiresAt: new Date(exp * 1000) };
}

/** @throws if the signature, the age or the shape is wrong */
export async function verifyClassroomToken(config: Config, token: string): Promise<ClassroomClaims> {
  const options = { algorithms: [ALGORITHM], issuer: ISSUER, audience: AUDIENCE, requiredClaims: ['exp', 'sub'] };
  const { payload } = await Promise.any(config.CLASSROOM_TOKEN_SECRET.map((secret) => jwtVerify(token, keyOf(secret), options)));
  const { sub, sid, ses, ms } = payload;
  if (!sub || typeof sid !== 'string' || typeof ses !== 'number' || typeof ms !== 'number') throw new Error('not ours');
  return { sid, uid: sub, sessionNumber: ses, issuedAt: ms };
}

import { signClaims, verifyClaims } from '@classroom/platform';
import type { RoomConfig } from '../config.js';

const ISSUER = 'virtual-classroom';
const AUDIENCE = 'classroom';

/** The claims of the page's bearer token. They never contain the organization's id, which is a secret. */
export interface ClassroomClaims {
  sid: string;
  uid: string;
  sessionNumber: number;
  issuedAt: number;
}

type Config = Pick<RoomConfig, 'CLASSROOM_TOKEN_SECRET'>;

/** The page renews its token while its participant is present. */
const TOKEN_TTL_SECONDS = 3_600;

export function signClassroomToken(
  config: Config,
  claims: Omit<ClassroomClaims, 'issuedAt'>,
  at: Date,
): { token: string; expiresAt: Date } {
  const issuedAt = at.getTime();
  const exp = Math.floor(issuedAt / 1000) + TOKEN_TTL_SECONDS;
  const own = { sid: claims.sid, ses: claims.sessionNumber, ms: issuedAt };
  const standard = { iss: ISSUER, aud: AUDIENCE, sub: claims.uid, exp };
  return { token: signClaims({ ...own, ...standard }, config.CLASSROOM_TOKEN_SECRET[0]), expiresAt: new Date(exp * 1000) };
}

/** @throws if the signature, the age or the shape is wrong */
export function verifyClassroomToken(config: Config, token: string): ClassroomClaims {
  const keys = config.CLASSROOM_TOKEN_SECRET.map((secret) => ({ secret, issuer: ISSUER }));
  const { sub, sid, ses, ms } = verifyClaims(token, keys, { audience: AUDIENCE });
  if (typeof sub !== 'string' || !sub || typeof sid !== 'string' || typeof ses !== 'number' || typeof ms !== 'number')
    throw new Error('not ours');
  return { sid, uid: sub, sessionNumber: ses, issuedAt: ms };
}
